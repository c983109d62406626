#include "cmd/kubectl-vapcheck/init_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/file.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/configfile.h"
#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/options_versions.h"
#include "controller/apiserver/crd/crdrules.h"
#include "typecheck/text.h"

/* Longer lists are no help: then the whole directory is named. */
enum { NAMED_MAX = 20 };

/* ---- the files that are here ---- */

struct paths {
    char **items;
    size_t count;
    struct keymap known;
};

struct found {
    struct paths files;  /* that have an object to check: directories, and files of the working directory */
    struct paths unread; /* that cannot be parsed */
    size_t n_objects;    /* to check */
    size_t n_left_out;   /* directories, and files that nobody can read */
};

static void add_path(struct paths *paths, const char *path)
{
    if (!keymap_add(&paths->known, path))
        return;
    paths->items = mem_grow(paths->items, paths->count, sizeof *paths->items);
    paths->items[paths->count++] = mem_strdup(path);
}

static void paths_deinit(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        mem_free(paths->items[i]);
    mem_free(paths->items);
    keymap_deinit(&paths->known, NULL);
}

/* The length of the beginning that both paths share, up to a slash; 0 if they share none. */
static size_t common_len(const char *a, const char *b)
{
    size_t len = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        len = a[i] == '/' ? i + 1 : len;
    return len;
}

/* Adds the directory of a file, or makes the one that is there the directory of both. */
static void add_directory(struct paths *paths, const char *file)
{
    const char *slash = strrchr(file, '/');
    cleanup_mem char *directory =
        mem_strndup(file, slash == NULL ? strlen(file) : (size_t)(slash + 1 - file));
    for (size_t i = 0; i < paths->count && slash != NULL; i++) {
        const size_t len = common_len(paths->items[i], directory);
        if (len == 0)
            continue;
        paths->items[i][len] = '\0';
        return;
    }
    add_path(paths, directory);
}

/* Returns true if check has something to say about it; a definition without rules gives its types. */
static bool is_for_us(const struct manifest_object *o)
{
    struct definitions found;
    if (o->kind == OBJECTKIND_OTHER)
        return false;
    definitions_of(o->kind, o->root->json, &found);
    const bool is = found.count == 0 || crdrules_any(found.items[0]);
    definitions_deinit(&found);
    return is;
}

static void look(struct found *found, const struct input *input)
{
    struct manifest m;
    size_t n_objects = 0;
    manifest_read(&m, input);
    for (size_t i = 0; i < m.n_objects; i++)
        n_objects += is_for_us(&m.objects[i]);
    found->n_left_out += m.left_out != NULL;
    found->n_objects += n_objects;
    if (m.problem != NULL && !m.is_empty)
        add_path(&found->unread, input->name);
    if (n_objects > 0)
        add_directory(&found->files, input->name);
    manifest_deinit(&m);
}

/* ---- the output ---- */

/* "files: [a/, b.yaml]", with what YAML would misread in quotes. */
static void print_list(const char *name, const struct paths *paths)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < paths->count; i++)
        jsonval_append(list, json_object_new_string(paths->items[i]));
    cleanup_mem char *text = mem_strdup(
        json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    print_line(stdout, "%s: %s", name, text);
    json_object_put(list);
}

static void print_config(const struct found *found)
{
    const bool is_few = found->files.count > 0 && found->files.count <= NAMED_MAX;
    print_line(stdout, "# " CONFIGFILE_NAME ": %zu object%s to check", found->n_objects,
               found->n_objects == 1 ? "" : "s");
    if (is_few)
        print_list("files", &found->files);
    else
        print_line(stdout, "files: [.]");
    if (found->unread.count > 0 && found->unread.count <= NAMED_MAX) {
        print_line(stdout, "# These files are no YAML that can be read.");
        print_list("excludes", &found->unread);
    } else {
        print_line(stdout, "# excludes: [testdata]");
    }
    print_line(stdout, "# The versions of Kubernetes that your clusters have, such as [1.36, 1.37].");
    print_line(stdout, "kube-versions: [%s]", options_versions_default()->kube_version);
    print_line(
        stdout,
        "# To begin with the findings of today: kubectl vapcheck check --write-baseline baseline.json,");
    print_line(stdout, "# and later kubectl vapcheck check --baseline baseline.json.");
}

static void print_precommit(const struct found *found)
{
    (void)found;
    print_line(stdout, "# .pre-commit-config.yaml, from the first release on");
    print_line(stdout, "repos:");
    print_line(stdout, "- repo: https://github.com/vapcheck/vapcheck");
    print_line(stdout, "  rev: v" VAPCHECK_VERSION);
    print_line(stdout, "  hooks:");
    print_line(stdout, "  - id: vapcheck");
}

static void print_github(const struct found *found)
{
    (void)found;
    print_line(stdout, "# .github/workflows/vapcheck.yaml, from the first release on");
    print_line(stdout, "name: vapcheck");
    print_line(stdout, "on: [push, pull_request]");
    print_line(stdout, "permissions: {contents: read}");
    print_line(stdout, "jobs:");
    print_line(stdout, "  vapcheck:");
    print_line(stdout, "    runs-on: ubuntu-latest");
    print_line(stdout, "    steps:");
    print_line(stdout, "    - uses: actions/checkout@v4");
    print_line(stdout, "    - uses: vapcheck/vapcheck@v" VAPCHECK_VERSION);
}

static const struct part {
    const char *name, *file;
    void (*print)(const struct found *found);
} parts[] = {
    {"config", CONFIGFILE_NAME, print_config},
    {"pre-commit", ".pre-commit-config.yaml", print_precommit},
    {"github", ".github/workflows/vapcheck.yaml", print_github},
};

enum { N_PARTS = sizeof parts / sizeof *parts };

static const struct part *find_part(const char *name)
{
    size_t i = 0;
    while (i < N_PARTS && strcmp(parts[i].name, name) != 0)
        i++;
    return i == N_PARTS ? NULL : &parts[i];
}

static int refuse(const char *name)
{
    struct suggest near;
    suggest_init(&near, name);
    for (size_t i = 0; i < N_PARTS; i++)
        suggest_offer(&near, parts[i].name);
    print_line(stderr, "kubectl-vapcheck init: \"%s\" is none of %s%s%s%s", name,
               manual_words(manual_find("init")), near.best == NULL ? "" : " (did you mean ",
               near.best == NULL ? "" : near.best, near.best == NULL ? "" : "?)");
    return 2;
}

/* The documents, one after the other; a file that is there already stays as it is. */
static void print_part_of(const struct part *part, const struct found *found, bool is_first)
{
    if (!is_first)
        print_line(stdout, "---");
    part->print(found);
    if (file_exists(part->file))
        print_line(stderr, "note: there is a file %s already", part->file);
}

int init_cmd(const struct options *o)
{
    struct found found = {0};
    struct inputs inputs = {.excludes = &o->excludes};
    const struct part **wanted = mem_array(N_PARTS + o->n_names, sizeof(const struct part *));
    size_t count = 0;
    for (size_t i = 0; i < N_PARTS && o->n_names == 0; i++)
        wanted[count++] = &parts[i];
    for (size_t i = 0; i < o->n_names; i++) {
        wanted[count++] = find_part(o->names[i]);
        if (wanted[i] == NULL) {
            mem_free(wanted);
            return refuse(o->names[i]);
        }
    }
    inputs_add(&inputs, ".");
    for (size_t i = 0; i < inputs.count; i++)
        look(&found, &inputs.items[i]);
    for (size_t i = 0; i < count; i++)
        print_part_of(wanted[i], &found, i == 0);
    mem_free(wanted);
    if (found.n_objects == 0)
        print_line(stderr, "note: no file here has an object that vapcheck checks");
    paths_deinit(&found.files);
    paths_deinit(&found.unread);
    inputs_deinit(&inputs);
    return 0;
}
