#include "cmd/kubectl-vapcheck/input/manifest.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/comments.h"
#include "cmd/kubectl-vapcheck/input/yamlhints.h"
#include "controller/apiserver/validation/template.h"
#include "typecheck/text.h"

static enum objectkind kind_of(struct json_object *object)
{
    const enum objectkind kind = objectkind_of(object);
    return kind == OBJECTKIND_CONSTRAINT_TEMPLATE && !template_is_checked(object) ? OBJECTKIND_OTHER : kind;
}

/* An item of a typed list, as an API server answers it, is of the list's version and of the kind before
 * "List"; kubectl reads it so, too. */
static void name_item(struct json_object *list, const char *list_kind, struct json_object *item)
{
    const char *list_version = jsonval_string_or_empty(list, "apiVersion");
    if (!json_object_is_type(item, json_type_object) || *jsonval_string_or_empty(item, "kind") != '\0' ||
        *jsonval_string_or_empty(item, "apiVersion") != '\0')
        return;
    cleanup_mem char *kind = mem_strndup(list_kind, strlen(list_kind) - strlen("List"));
    jsonval_set(item, "apiVersion", json_object_new_string(list_version));
    jsonval_set(item, "kind", json_object_new_string(kind));
}

/* ---- definitions whose trees are not needed ---- */

/* The verdict on a definition, and its types. */
struct judged {
    enum manifest_verdict verdict;
    struct crds_definition *definition; /* its types; NULL if an object has it, or if it is in the tree */
};

/* A text that is read. */
struct reader {
    struct manifest *manifest;
    const struct manifest_reading *reading;
    bool may_be_clean;
};

/* The names of an object, which are all that others ask of it. */
static struct json_object *names_of(struct json_object *object)
{
    static const char *const of_object[] = {"apiVersion", "kind"}, *const of_metadata[] = {"name",
                                                                                           "namespace"};
    struct json_object *names = json_object_new_object(), *metadata = json_object_new_object();
    for (size_t i = 0; i < 2; i++) {
        jsonval_set(names, of_object[i], json_object_get(jsonval_get(object, of_object[i])));
        jsonval_set(metadata, of_metadata[i],
                    json_object_new_string(jsonval_metadata(object, of_metadata[i])));
    }
    jsonval_set(names, "metadata", metadata);
    return names;
}

static void free_judged(struct lh_entry *entry)
{
    union {
        const void *given;
        struct judged *kept;
    } judged = {.given = entry->v};
    crds_definition_free(judged.kept->definition);
    mem_free(judged.kept);
}

static void forget_judged(struct manifest *m)
{
    if (m->judged != NULL)
        lh_table_free(m->judged);
    m->judged = NULL;
}

/* A yaml_reduce. A document that SOPS encrypted is judged as a whole. */
static struct json_object *reduce(void *user, const struct yaml_node *object)
{
    enum { FEW = 16 };
    const struct reader *reader = user;
    const struct manifest_reading *reading = reader->reading;
    struct manifest *m = reader->manifest;
    struct crds_definition *definition = NULL;
    if (kind_of(object->json) != OBJECTKIND_CRD || jsonval_get(object->json, "sops") != NULL)
        return NULL;
    enum manifest_verdict verdict = reading->judge(reading->user, object, reader->may_be_clean);
    if (verdict == MANIFEST_NOT_ASKED)
        return NULL;
    if (verdict != MANIFEST_NEEDED && !reading->has_types) {
        definition = crds_read(object->json);
        verdict = definition == NULL ? MANIFEST_NEEDED : verdict;
    }
    struct judged *judged = mem_zalloc(sizeof *judged);
    *judged = (struct judged){verdict, definition};
    if (m->judged == NULL)
        m->judged = lh_kptr_table_new(FEW, free_judged);
    lh_table_insert(m->judged, object, judged);
    return verdict == MANIFEST_NEEDED ? NULL : names_of(object->json);
}

/* The object has from now on what is known of it. */
static void take_judged(struct manifest *m, struct manifest_object *o)
{
    void *found = NULL;
    if (m->judged == NULL || !lh_table_lookup_ex(m->judged, o->root, &found))
        return;
    struct judged *judged = found;
    o->verdict = judged->verdict;
    o->definition = judged->definition;
    judged->definition = NULL;
}

/* The object, or those of a list. */
static void add_object(struct manifest *m, size_t document, const struct yaml_node *root)
{
    const char *kind = jsonval_string_or_empty(root->json, "kind");
    const struct yaml_node *items = yaml_member(root, "items");
    if (str_has_suffix(str_of(kind), STR("List")) && items != NULL &&
        json_object_is_type(items->json, json_type_array)) {
        for (size_t i = 0; i < items->n_children; i++) {
            name_item(root->json, kind, items->children[i]->json);
            add_object(m, document, items->children[i]);
        }
        return;
    }
    m->objects = mem_grow(m->objects, m->n_objects, sizeof *m->objects);
    struct manifest_object *o = &m->objects[m->n_objects++];
    *o = (struct manifest_object){
        .kind = kind_of(root->json), .document = document, .name_of_kind = mem_strdup(kind), .root = root};
    take_judged(m, o);
}

/* A line of a text that was not parsed; NULL: it has none. The caller frees it. */
static char *line_of(struct str text, size_t number)
{
    if (number == 0 || text.at == NULL)
        return NULL;
    const struct str rest = yamlhints_from_line(text, number);
    const char *end = rest.len == 0 ? NULL : memchr(rest.at, '\n', rest.len);
    return mem_strndup(rest.at, end == NULL ? rest.len : (size_t)(end - rest.at));
}

static void set_problem(struct manifest *m, struct str text, const char *problem)
{
    const char *slip = yamlhints_of_text(text, m->where, problem);
    const char *advice; /* which a certain hint makes superfluous */
    cleanup_mem char *plain = yamlhints_translate(text, m->where, problem, &advice);
    m->problem = slip != NULL     ? mem_printf("%s (%s)", plain, slip)
                 : advice != NULL ? mem_printf("%s: %s", plain, advice)
                                  : mem_strdup(plain);
    m->problem_line = line_of(text, m->where.line);
}

/* Returns true if SOPS wrote the document: it adds what it needs to decrypt the values. */
static bool is_sops(const struct yaml_node *root)
{
    struct json_object *sops = jsonval_get(root->json, "sops");
    return jsonval_get(sops, "mac") != NULL && jsonval_get(sops, "lastmodified") != NULL;
}

/* A template begins with two braces, which hardly a manifest has. */
static bool has_template(struct str text)
{
    const char *end = text.at + text.len, *at = text.at;
    while (at != NULL && end - at > 1) {
        at = memchr(at, '{', (size_t)(end - at) - 1);
        if (at != NULL && *++at == '{')
            return true;
    }
    return false;
}

/* Returns why nobody should read the text as manifests; NULL: no reason is known. */
static const char *find_reason(const char *file, struct str text)
{
    static const char git_crypt[] = "\0GITCRYPT";
    if (text.len >= sizeof git_crypt && memcmp(text.at, git_crypt, sizeof git_crypt) == 0)
        return "encrypted by git-crypt";
    return has_template(text) && inputs_is_in_chart(file) ? "a template of a Helm chart" : NULL;
}

/* reading NULL: each tree is needed. The text may be taken. */
static void parse(struct manifest *m, char **text, size_t len, const struct manifest_reading *reading)
{
    const bool is_reduced = reading != NULL && reading->judge != NULL && len > reading->most_bytes;
    struct reader reader = {m, reading, is_reduced && !comments_may_be_in(*text, len)};
    struct err err = {0};
    m->left_out = find_reason(m->file, (struct str){*text, len});
    if (m->left_out != NULL)
        return;
    if (yaml_parse_reduced(text, len, is_reduced ? reduce : NULL, &reader, &m->yaml, &m->where, &err) != 0) {
        forget_judged(m);
        set_problem(m, (struct str){*text, len}, err.msg);
        return;
    }
    for (size_t i = 0; i < yaml_count(m->yaml); i++) {
        if (is_sops(yaml_root(m->yaml, i)))
            m->left_out = "encrypted by SOPS";
    }
    for (size_t i = 0; i < yaml_count(m->yaml) && m->left_out == NULL; i++)
        add_object(m, i, yaml_root(m->yaml, i));
    forget_judged(m);
}

void manifest_read_text(struct manifest *m, const char *file, const char *bytes, size_t len)
{
    *m = (struct manifest){.file = file};
    cleanup_mem char *text = mem_strndup(bytes, len);
    parse(m, &text, len, NULL);
}

void manifest_rename(struct manifest *m, const struct input *input)
{
    m->file = inputs_title(input);
    m->is_found = input->is_found;
    m->is_empty = input->is_empty;
    m->is_context = input->is_context;
}

void manifest_read(struct manifest *m, const struct input *input)
{
    manifest_read_reduced(m, input, NULL);
}

void manifest_read_reduced(struct manifest *m, const struct input *input,
                           const struct manifest_reading *reading)
{
    struct err err = {0};
    cleanup_buf struct buf text;
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    *m = (struct manifest){.n_objects = 0};
    manifest_rename(m, input);
    if (inputs_read(input, &text, &err) == 0) {
        size_t len;
        cleanup_mem char *bytes = buf_take(&text, &len);
        parse(m, &bytes, len, reading);
        return;
    }
    m->is_missing = !input->is_found && !input->is_empty && err.code != ERR_LIMIT;
    set_problem(m, (struct str){text.data, text.len}, err.msg);
}

void manifest_release(struct manifest *m)
{
    yaml_close(m->yaml);
    m->yaml = NULL;
    for (size_t i = 0; i < m->n_objects; i++)
        m->objects[i].root = NULL;
}

bool manifest_is_clean(const struct manifest *m)
{
    bool is_clean = m->problem == NULL && m->left_out == NULL;
    for (size_t i = 0; i < m->n_objects; i++)
        is_clean = is_clean &&
                   (m->objects[i].kind == OBJECTKIND_OTHER || m->objects[i].verdict == MANIFEST_NOT_OURS ||
                    m->objects[i].verdict == MANIFEST_CLEAN);
    return is_clean;
}

void manifest_deinit(struct manifest *m)
{
    yaml_close(m->yaml);
    for (size_t i = 0; i < m->n_objects; i++) {
        mem_free(m->objects[i].name_of_kind);
        crds_definition_free(m->objects[i].definition);
    }
    mem_free(m->objects);
    mem_free(m->problem);
    mem_free(m->problem_line);
}
