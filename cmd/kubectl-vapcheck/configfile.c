#include "cmd/kubectl-vapcheck/configfile.h"

#include <string.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/options_table.h"
#include "controller/findings/suppress.h"
#include "typecheck/text.h"

enum { FILE_CAP_BYTES = 1024 * 1024, DIRECTORY_CAP_BYTES = 4096, UP_CAP_BYTES = 8192 };

struct configfile {
    struct options *options;
    char *name;      /* "../.vapcheck.yaml" */
    char *directory; /* "../"; "" for the working directory */
};

/* ---- a flag wins over the file ---- */

static bool has_files(const struct options *o)
{
    return o->n_files + o->n_kustomizations + o->n_names > 0;
}

static bool has_excludes(const struct options *o)
{
    return o->excludes.count > 0;
}

static bool has_version(const struct options *o)
{
    return o->versions != 0 || o->schemas != NULL || o->is_live;
}

static bool has_selected(const struct options *o)
{
    return o->has_selected;
}

static bool has_ignored(const struct options *o)
{
    return o->ignored.bits != 0;
}

static bool has_fail_on(const struct options *o)
{
    return o->has_fail_on;
}

static bool has_baseline(const struct options *o)
{
    return o->baseline_path != NULL || o->new_baseline_path != NULL;
}

/* ---- the keys ---- */

/* A path in the file, which counts from the file's directory. */
static const char *resolve(struct options *o, const struct configfile *file, const char *path)
{
    return options_own(o, mem_printf("%s%s", *path == '/' ? "" : file->directory, path));
}

static int set_file(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)err;
    options_add_file(o, resolve(o, file, text));
    return 0;
}

static int set_exclude(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)err;
    excludes_add(&o->excludes, file->directory, text);
    return 0;
}

static int set_schemas(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)err;
    o->schemas = resolve(o, file, text);
    return 0;
}

static int set_versions(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)file;
    return options_add_versions(o, text, err);
}

static int set_selected(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)file;
    o->has_selected = true;
    return suppress_read_selected(text, &o->selected, err);
}

static int set_ignored(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    (void)file;
    return suppress_read(text, &o->ignored, err);
}

/* A list is one value: [error, unchecked]. */
static int set_fail_on(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    const struct options before = *o;
    (void)file;
    if (options_table_read_fail_on(o, text, err) != 0)
        return -1;
    if (before.has_fail_on && strcmp(text, "unchecked") == 0)
        o->fail_on = before.fail_on;
    o->fails_on_unchecked = o->fails_on_unchecked || before.fails_on_unchecked;
    return 0;
}

static int set_baseline(struct options *o, const struct configfile *file, const char *text, struct err *err)
{
    if (o->baseline_path != NULL)
        return err_set(err, ERR_INVALID, "baseline names one file");
    o->baseline_path = resolve(o, file, text);
    return 0;
}

static const struct key {
    const char *name;
    bool (*is_given)(const struct options *options);
    int (*set)(struct options *options, const struct configfile *file, const char *text, struct err *err);
} keys[] = {
    {"files", has_files, set_file},
    {"excludes", has_excludes, set_exclude},
    {"kube-versions", has_version, set_versions},
    {"schemas", has_version, set_schemas},
    {"select", has_selected, set_selected},
    {"ignore", has_ignored, set_ignored},
    {"fail-on", has_fail_on, set_fail_on},
    {"baseline", has_baseline, set_baseline},
};

enum { N_KEYS = sizeof keys / sizeof *keys };

/* ---- reading ---- */

static int refuse(const struct configfile *file, struct yaml_place at, const struct err *why, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s:%u:%u: %s", file->name, at.line, at.column, why->msg);
}

static int refuse_key(const struct configfile *file, const struct yaml_node *node, struct err *err)
{
    struct suggest near;
    struct err why;
    suggest_init(&near, node->key);
    for (size_t i = 0; i < N_KEYS; i++)
        suggest_offer(&near, keys[i].name);
    if (near.best == NULL)
        (void)err_set(&why, ERR_INVALID,
                      "unknown key \"%s\"; the keys are files, excludes, kube-versions, schemas, select, "
                      "ignore, fail-on, "
                      "baseline",
                      node->key);
    else
        (void)err_set(&why, ERR_INVALID, "unknown key \"%s\", did you mean %s?", node->key, near.best);
    return refuse(file, node->key_start, &why, err);
}

static bool is_text(const struct yaml_node *node)
{
    return node->style != YAML_COLLECTION && node->source_len > 0;
}

/* A text, or a number as it is written: 1.30 is no 1.3. The caller frees it. */
static char *text_of(const struct yaml_node *node)
{
    const char *text = jsonval_text(node->json);
    return text == NULL ? mem_strndup(node->source, node->source_len) : mem_strdup(text);
}

static int apply_value(const struct configfile *file, const struct key *key, const struct yaml_node *node,
                       bool is_given, struct err *err)
{
    struct err why;
    if (!is_text(node)) {
        (void)err_set(&why, ERR_INVALID, "%s must be a text or a list of texts", key->name);
        return refuse(file, node->start, &why, err);
    }
    if (is_given)
        return 0;
    cleanup_mem char *text = text_of(node);
    return key->set(file->options, file, text, &why) == 0 ? 0 : refuse(file, node->text, &why, err);
}

static int apply_key(const struct configfile *file, const struct yaml_node *node, const bool *is_given,
                     struct err *err)
{
    size_t i = 0;
    while (i < N_KEYS && strcmp(keys[i].name, node->key) != 0)
        i++;
    if (i == N_KEYS)
        return refuse_key(file, node, err);
    if (!json_object_is_type(node->json, json_type_array))
        return apply_value(file, &keys[i], node, is_given[i], err);
    for (size_t k = 0; k < node->n_children; k++) {
        if (apply_value(file, &keys[i], node->children[k], is_given[i], err) != 0)
            return -1;
    }
    return 0;
}

static int apply(const struct configfile *file, const struct yaml *yaml, struct err *err)
{
    const struct yaml_node *root = yaml_root(yaml, 0);
    bool is_given[N_KEYS];
    struct err why;
    for (size_t i = 0; i < N_KEYS; i++)
        is_given[i] = keys[i].is_given(file->options);
    if (root == NULL)
        return 0;
    if (!json_object_is_type(root->json, json_type_object) || yaml_count(yaml) > 1) {
        (void)err_set(&why, ERR_INVALID, "the file must be one mapping");
        return refuse(file, root->start, &why, err);
    }
    for (size_t i = 0; i < root->n_children; i++) {
        if (apply_key(file, root->children[i], is_given, err) != 0)
            return -1;
    }
    return 0;
}

/* Finds the nearest directory with the file; returns false if there is none. */
static bool find(struct configfile *file)
{
    char here[DIRECTORY_CAP_BYTES];
    struct buf up;
    if (getcwd(here, sizeof here) == NULL)
        return false;
    buf_init(&up, UP_CAP_BYTES);
    for (const char *at = here; at != NULL; at = strchr(at + 1, '/')) {
        file->name = mem_printf("%s" CONFIGFILE_NAME, up.data);
        if (file_exists(file->name)) {
            file->directory = buf_take(&up, NULL);
            return true;
        }
        mem_free(file->name);
        buf_puts(&up, "../");
    }
    buf_deinit(&up);
    return false;
}

int configfile_apply(struct options *options, struct err *err)
{
    struct configfile file = {.options = options};
    cleanup_mem char *text = NULL;
    struct yaml *yaml = NULL;
    struct yaml_place where;
    struct err why = {0};
    size_t len;
    if (!find(&file))
        return 0;
    int answer = file_read(file.name, FILE_CAP_BYTES, &text, &len, err);
    if (answer == 0 && yaml_parse(text, len, &yaml, &where, &why) != 0)
        answer = refuse(&file, where, &why, err);
    if (answer == 0)
        answer = apply(&file, yaml, err);
    yaml_close(yaml);
    mem_free(file.name);
    mem_free(file.directory);
    return answer;
}
