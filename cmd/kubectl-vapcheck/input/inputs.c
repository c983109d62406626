#include "cmd/kubectl-vapcheck/input/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/base/mem.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/input/kustomize.h"

/* The depth up to which directories are searched: deeper than any tree of manifests. */
enum { DEPTH = 64 };

static struct input *add(struct inputs *inputs, const char *name)
{
    inputs->items = mem_realloc(inputs->items, inputs->count + 1, sizeof *inputs->items);
    struct input *input = &inputs->items[inputs->count++];
    *input = (struct input){.name = mem_strdup(name)};
    return input;
}

static void add_problem(struct inputs *inputs, const char *name, const char *problem)
{
    add(inputs, name)->problem = mem_strdup(problem);
}

bool inputs_is_manifest(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL &&
           (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

/* Returns true if the directory holds the templates of a Helm chart. */
static bool is_templates(const char *parent, const char *name)
{
    cleanup_mem char *chart = mem_printf("%s/Chart.yaml", parent);
    struct stat st;
    return strcmp(name, "templates") == 0 && stat(chart, &st) == 0;
}

/* Returns true if a directory below the one that was named is left out. */
static bool is_left_out(const char *parent, const char *name)
{
    static const char *const others[] = {".git", "node_modules", "vendor"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(name, others[i]) == 0)
            return true;
    }
    return is_templates(parent, name);
}

/* Returns true if a directory that the file is in, or one above, is such a one. */
static bool is_below(const char *path, bool (*is_such)(const char *parent, const char *name))
{
    cleanup_mem char *at = mem_strdup(path);
    for (char *end = strrchr(at, '/'); end != NULL && end != at; end = strrchr(at, '/')) {
        *end = '\0'; /* the file's directory, and those above */
        char *slash = strrchr(at, '/');
        if (slash == NULL)
            return is_such(".", at);
        *slash = '\0';
        if (is_such(slash == at ? "/" : at, slash + 1))
            return true;
        *slash = '/';
    }
    return false;
}

bool inputs_passes_over(const struct excludes *excludes, const char *path)
{
    return excludes_match(excludes, path) || is_below(path, is_left_out);
}

bool inputs_is_in_chart(const char *path)
{
    return is_below(path, is_templates);
}

static bool is_excluded(struct inputs *inputs, const char *path)
{
    const bool is = inputs->excludes != NULL && excludes_match(inputs->excludes, path);
    inputs->n_excluded += is;
    return is;
}

static void leave_out(struct inputs *inputs, const char *path)
{
    inputs->left_out = mem_realloc(inputs->left_out, inputs->n_left_out + 1, sizeof *inputs->left_out);
    inputs->left_out[inputs->n_left_out++] = mem_strdup(path);
}

/* "d/a.yaml"; of the working directory "a.yaml", as readers of annotations need it. The caller frees it. */
static char *join(const char *directory, const char *name)
{
    const size_t len = strlen(directory);
    if (strcmp(directory, ".") == 0 || strcmp(directory, "./") == 0)
        return mem_strdup(name);
    return mem_printf("%s%s%s", directory, directory[len - 1] == '/' ? "" : "/", name);
}

static void add_directory(struct inputs *inputs, const char *path, int depth)
{
    struct dirent **entries = NULL;
    inputs->directories =
        mem_realloc(inputs->directories, inputs->n_directories + 1, sizeof *inputs->directories);
    inputs->directories[inputs->n_directories++] = mem_strdup(path);
    int count = depth < DEPTH ? scandir(path, &entries, NULL, alphasort) : -1;
    if (count < 0)
        add_problem(inputs, path, depth < DEPTH ? strerror(errno) : "directories are nested too deeply");
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        cleanup_mem char *below = join(path, name);
        struct stat itself, target;
        bool is_directory = lstat(below, &itself) == 0 && S_ISDIR(itself.st_mode);
        bool is_below = is_directory && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        bool is_file = !is_directory && inputs_is_manifest(name) &&
                       (stat(below, &target) != 0 || S_ISREG(target.st_mode));
        if (is_below && is_left_out(path, name))
            leave_out(inputs, below);
        else if ((is_below || is_file) && is_excluded(inputs, below))
            ;
        else if (is_below)
            add_directory(inputs, below, depth + 1);
        else if (is_file)
            add(inputs, below)->is_found = true;
        mem_free(entries[i]);
    }
    mem_free(entries);
}

void inputs_add(struct inputs *inputs, const char *path)
{
    struct stat st;
    size_t before = inputs->count + inputs->n_left_out + inputs->n_excluded;
    if (strcmp(path, "-") != 0 && is_excluded(inputs, path))
        return;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        inputs->is_searched = inputs->is_searched || strcmp(path, "-") == 0;
        add(inputs, path);
        return;
    }
    inputs->is_searched = true;
    add_directory(inputs, path, 0);
    if (inputs->count + inputs->n_left_out + inputs->n_excluded > before)
        return;
    add_problem(inputs, path, "no file in this directory, or below it, ends in .yaml, .yml or .json");
    inputs->items[inputs->count - 1].is_empty = true;
}

void inputs_add_kustomization(struct inputs *inputs, const char *directory)
{
    cleanup_buf struct buf text;
    struct err err = {0};
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    inputs->is_searched = true;
    if (kustomize_build(directory, &text, &err) != 0) {
        add_problem(inputs, directory, err.msg);
        return;
    }
    struct input *input = add(inputs, directory);
    input->text = buf_take(&text, &input->len);
}

/* A whole file, or standard input for "-". */
static int read_file(const char *path, struct buf *text, struct err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(path, "rbe");
    char chunk[64 * 1024];
    size_t n;
    if (in == NULL)
        return err_set(err, ERR_NOT_FOUND, "%s", strerror(errno));
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0 && !text->is_full)
        (void)buf_append(text, chunk, n);
    int failed = ferror(in) ? errno : 0;
    if (!is_stdin)
        fclose(in);
    if (failed != 0)
        return err_set(err, ERR_INVALID, "%s", strerror(failed));
    if (text->is_full)
        return err_set(err, ERR_LIMIT, "the file has more than %zu bytes", text->cap_bytes);
    return 0;
}

void inputs_add_text(struct inputs *inputs, char *name, char *text)
{
    struct input *input = add(inputs, name);
    input->text = text;
    input->len = strlen(text);
    mem_free(name);
}

void inputs_keep(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->items[i];
        struct stat st;
        const bool is_file = strcmp(input->name, "-") != 0 &&
                             (stat(input->name, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
        cleanup_buf struct buf text;
        struct err err = {0};
        buf_init(&text, YAML_TEXT_CAP_BYTES);
        if (is_file || input->text != NULL || input->problem != NULL)
            continue;
        if (inputs_read(input, &text, &err) != 0)
            input->problem = mem_strdup(err.msg);
        else
            input->text = buf_take(&text, &input->len);
    }
}

bool inputs_can_read_again(const struct input *input)
{
    struct stat st;
    if (input->text != NULL)
        return true;
    return input->problem == NULL && strcmp(input->name, "-") != 0 && stat(input->name, &st) == 0 &&
           S_ISREG(st.st_mode);
}

int inputs_read(const struct input *input, struct buf *text, struct err *err)
{
    if (input->text != NULL)
        return buf_append(text, input->text, input->len) == 0
                   ? 0
                   : err_set(err, ERR_LIMIT, "the text has more than %zu bytes", text->cap_bytes);
    if (input->problem != NULL)
        return err_set(err, ERR_INVALID, "%s", input->problem);
    return read_file(input->name, text, err);
}

const char *inputs_title(const struct input *input)
{
    return strcmp(input->name, "-") == 0 ? "stdin" : input->name;
}

void inputs_deinit(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        mem_free(inputs->items[i].name);
        mem_free(inputs->items[i].problem);
        mem_free(inputs->items[i].text);
    }
    mem_free(inputs->items);
    for (size_t i = 0; i < inputs->n_left_out; i++)
        mem_free(inputs->left_out[i]);
    mem_free(inputs->left_out);
    for (size_t i = 0; i < inputs->n_directories; i++)
        mem_free(inputs->directories[i]);
    mem_free(inputs->directories);
}
