#include "controller/apiserver/crd/crdadvice.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdevaluation.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/apiserver/crd/crdschema.h"
#include "typecheck/author.h"
#include "typecheck/schema.h"
#include "typecheck/text.h"

#define RULES "x-kubernetes-validations"

enum {
    TRIES_MAX = 24,   /* resources for one read */
    RULES_MAX = 100,  /* at one place */
    DEPTH_MAX = 64,   /* of a schema */
    TRY_STEPS = 2000, /* steps of one evaluation, besides those of its memory */
    READ_STEPS_MAX = 1000 * 1000,
    WORDS_SHOWN = 12, /* of an enum */
    WORDS_BYTES = 4096,
    COPY_STEPS = 2, /* steps for each byte of a definition that is compiled again */
};

/* A place in a schema, and how a value comes there. */
struct place {
    const struct place *outer; /* NULL: the root */
    struct json_object *schema;
    const char *property; /* NULL: an element of the outer list or map */
    size_t depth;
};

struct finder {
    struct crdadvice *out;
    struct json_object *definition;
    const struct env *env;
    int minor;
    struct crdevaluation *evaluation; /* NULL: no rule needed one so far */
    size_t version;
    size_t published_version; /* the version that was read as it is published, counted from 1; 0: none */
    struct schema *published; /* that version, with the default values; NULL: it could not be read */
    const struct schema_node *published_root;
    uint64_t left;
    uint64_t copy_steps; /* the steps to compile a definition with a corrected rule; 0: not known so far */
    struct keymap known; /* the reported advice */
    bool has_advice;
};

/* ---- schemas ---- */

static struct json_object *property_of(struct json_object *schema, struct str name)
{
    cleanup_mem char *key = mem_strndup(name.at, name.len);
    return jsonval_get(jsonval_get(schema, "properties"), key);
}

static struct json_object *element_of(struct json_object *schema)
{
    struct json_object *items = jsonval_get(schema, "items");
    struct json_object *values = jsonval_get(schema, "additionalProperties");
    return items != NULL ? items : json_object_is_type(values, json_type_object) ? values : NULL;
}

static bool is_list(struct json_object *schema)
{
    return jsonval_get(schema, "items") != NULL;
}

/* NULL: the schema does not say, or the step is over the keys of a map. */
static struct json_object *schema_behind(struct json_object *schema, const struct rule_step *step)
{
    struct json_object *property = step->field.len == 0 ? NULL : property_of(schema, step->field);
    if (property != NULL || (step->field.len != 0 && jsonval_get(schema, "properties") != NULL))
        return property;
    return step->is_key && !is_list(schema) ? NULL : element_of(schema);
}

static bool lists(struct json_object *names, struct str name)
{
    for (size_t i = 0; i < jsonval_length(names); i++) {
        const char *text = jsonval_text(jsonval_at(names, i));
        if (text != NULL && str_eq(str_of(text), name))
            return true;
    }
    return false;
}

/* Whether one of the schemas behind allOf, anyOf and oneOf requires the field, in some case. */
static bool may_be_required(struct json_object *schema, struct str name)
{
    static const char *const keys[] = {"allOf", "anyOf", "oneOf"};
    bool found = lists(jsonval_array(schema, "required"), name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !found; i++) {
        struct json_object *list = jsonval_array(schema, keys[i]);
        for (size_t j = 0; j < jsonval_length(list) && !found; j++)
            found = may_be_required(jsonval_at(list, j), name);
    }
    return found;
}

static bool is_of_resource(const struct place *place, size_t step_count, struct str name)
{
    static const char *const names[] = {"metadata", "kind", "apiVersion"};
    for (size_t i = 0; place->outer == NULL && step_count == 1 && i < sizeof names / sizeof *names; i++) {
        if (str_eq(name, str_of(names[i])))
            return true;
    }
    return false;
}

/* Whether a value at the place may lack what the steps lead to, although it has what is before. */
static bool is_optional(const struct place *place, const struct rule_step *steps, size_t count)
{
    struct json_object *schema = place->schema;
    for (size_t i = 0; i + 1 < count && schema != NULL; i++)
        schema = is_of_resource(place, i + 1, steps[i].field) ? NULL : schema_behind(schema, &steps[i]);
    const struct rule_step *last = &steps[count - 1];
    if (schema == NULL || last->field.len == 0 || is_of_resource(place, count, last->field))
        return false;
    struct json_object *field = property_of(schema, last->field);
    if (field == NULL)
        return jsonval_get(schema, "properties") == NULL && !is_list(schema) && element_of(schema) != NULL;
    return jsonval_get(field, "default") == NULL && !may_be_required(schema, last->field);
}

/* ---- resources ---- */

static struct json_object *smallest(struct json_object *schema, size_t depth);

static struct json_object *smallest_text(struct json_object *schema)
{
    struct json_object *least = jsonval_get(schema, "minLength");
    const int64_t length = least == NULL ? 1 : json_object_get_int64(least);
    const size_t len = length < 1 ? 1 : length > 1000 ? 1000 : (size_t)length;
    char text[1001];
    memset(text, 'a', len);
    return json_object_new_string_len(text, (int)len);
}

static struct json_object *smallest_list(struct json_object *schema, size_t depth)
{
    struct json_object *list = json_object_new_array(), *least = jsonval_get(schema, "minItems");
    const int64_t count = least == NULL ? 0 : json_object_get_int64(least);
    for (int64_t i = 0; i < count && i < 10; i++)
        jsonval_append(list, smallest(jsonval_get(schema, "items"), depth + 1));
    return list;
}

static struct json_object *smallest_map(struct json_object *schema, size_t depth)
{
    struct json_object *map = json_object_new_object(), *names = jsonval_array(schema, "required");
    for (size_t i = 0; i < jsonval_length(names) && depth < DEPTH_MAX; i++) {
        const char *name = jsonval_text(jsonval_at(names, i));
        if (name != NULL)
            jsonval_set(map, name, smallest(property_of(schema, str_of(name)), depth + 1));
    }
    return map;
}

/* The smallest value of a schema. The caller puts it. */
static struct json_object *smallest(struct json_object *schema, size_t depth)
{
    struct json_object *values = jsonval_array(schema, "enum"), *least = jsonval_get(schema, "minimum");
    if (jsonval_length(values) > 0)
        return json_object_get(jsonval_at(values, 0));
    if (jsonval_is(schema, "type", "string"))
        return smallest_text(schema);
    if (jsonval_is(schema, "type", "array"))
        return smallest_list(schema, depth);
    if (jsonval_is(schema, "type", "boolean"))
        return json_object_new_boolean(false);
    if (jsonval_is(schema, "type", "integer") || jsonval_is(schema, "type", "number") ||
        jsonval_is_true(schema, "x-kubernetes-int-or-string"))
        return json_object_new_int64(least == NULL ? 1 : json_object_get_int64(least));
    return smallest_map(schema, depth);
}

/* The part behind a step, which is added where there is none; NULL: there cannot be one. */
static struct json_object *enter(struct json_object *value, struct json_object *schema, struct str field,
                                 size_t depth)
{
    if (json_object_is_type(value, json_type_array)) {
        if (jsonval_length(value) == 0)
            jsonval_append(value, smallest(jsonval_get(schema, "items"), depth));
        return jsonval_at(value, 0);
    }
    if (!json_object_is_type(value, json_type_object))
        return NULL;
    cleanup_mem char *key = field.len == 0 ? mem_strdup("a") : mem_strndup(field.at, field.len);
    struct json_object *property = property_of(schema, str_of(key));
    if (jsonval_get(value, key) == NULL)
        jsonval_set(value, key, smallest(property != NULL ? property : element_of(schema), depth));
    return jsonval_get(value, key);
}

/* The value at the place in a resource, with what leads there. */
static struct json_object *enter_place(struct json_object *resource, const struct place *place)
{
    if (place->outer == NULL)
        return resource;
    struct json_object *outer = enter_place(resource, place->outer);
    const struct str field = place->property == NULL ? STR("") : str_of(place->property);
    return outer == NULL ? NULL : enter(outer, place->outer->schema, field, place->depth);
}

/* The value that holds what the last step leads to; *schema is its. NULL: there cannot be one. */
static struct json_object *enter_steps(struct json_object *value, struct json_object **schema,
                                       const struct rule_step *steps, size_t count)
{
    for (size_t i = 0; i + 1 < count && value != NULL && *schema != NULL; i++) {
        value = enter(value, *schema, steps[i].field, i);
        *schema = schema_behind(*schema, &steps[i]);
    }
    return *schema == NULL ? NULL : value;
}

static void add_item(struct json_object *value, struct json_object *schema)
{
    if (element_of(schema) != NULL)
        (void)enter(value, schema, STR(""), 0);
}

static void set(struct json_object *value, struct json_object *schema, const struct rule_setting *setting)
{
    struct json_object *holder = enter_steps(value, &schema, setting->steps, setting->step_count);
    const struct str field = setting->steps[setting->step_count - 1].field;
    if (holder == NULL || field.len == 0 || !json_object_is_type(holder, json_type_object))
        return;
    cleanup_mem char *key = mem_strndup(field.at, field.len);
    switch (setting->kind) {
    case RULE_SETTING_PRESENT:
        (void)enter(holder, schema, field, 0);
        break;
    case RULE_SETTING_ITEM:
        add_item(enter(holder, schema, field, 0), property_of(schema, field));
        break;
    case RULE_SETTING_BOOL:
        jsonval_set(holder, key, json_object_new_boolean(setting->integer != 0));
        break;
    case RULE_SETTING_INT:
        jsonval_set(holder, key, json_object_new_int64(setting->integer));
        break;
    case RULE_SETTING_STRING:
        jsonval_set(holder, key, json_object_new_string_len(setting->text.at, (int)setting->text.len));
        break;
    }
}

/* The version that is looked at, with its rules compiled. */
static const struct crdevaluation_version *version_of(struct finder *f)
{
    if (f->evaluation == NULL)
        f->evaluation = crdevaluation_new(f->definition, f->env, f->minor);
    return &f->evaluation->versions[f->version];
}

static struct json_object *new_resource(struct finder *f, const struct place *place)
{
    struct json_object *spec = jsonval_get(f->definition, "spec");
    while (place->outer != NULL)
        place = place->outer;
    struct json_object *resource = smallest(place->schema, 0), *metadata = json_object_new_object();
    cleanup_mem char *version =
        mem_printf("%s/%s", jsonval_string_or_empty(spec, "group"), version_of(f)->name);
    jsonval_set(resource, "apiVersion", json_object_new_string(version));
    jsonval_set(resource, "kind",
                json_object_new_string(jsonval_string_or_empty(jsonval_get(spec, "names"), "kind")));
    jsonval_set(metadata, "name", json_object_new_string("a"));
    jsonval_set(resource, "metadata", metadata);
    return resource;
}

/* ---- one rule ---- */

/* The rule that is looked at. */
struct rule {
    struct finder *finder;
    const struct place *place;
    const char *path; /* below the schema, as crd_run.h names it */
    struct str text;
    struct rule_reads *reads;
    size_t index; /* among those of its place */
};

static struct str text_of(struct json_object *value)
{
    return str_of(
        json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* The components to which the document of a definition refers. Metadata may hold anything. */
static struct json_object *new_meta(void)
{
    static const char *const names[] = {CRDSCHEMA_OBJECT_META, CRDSCHEMA_LIST_META};
    struct json_object *document = json_object_new_object(), *components = json_object_new_object(),
                       *schemas = json_object_new_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct json_object *schema = json_object_new_object();
        jsonval_set(schema, "type", json_object_new_string("object"));
        jsonval_set(schema, "x-kubernetes-preserve-unknown-fields", json_object_new_boolean(true));
        jsonval_set(schemas, names[i], schema);
    }
    jsonval_set(components, "schemas", schemas);
    jsonval_set(document, "components", components);
    return document;
}

/* Reads the version as the server publishes it. */
static void publish(struct finder *f)
{
    struct json_object *spec = jsonval_get(f->definition, "spec");
    const char *group = jsonval_string_or_empty(spec, "group"), *version = version_of(f)->name;
    const char *kind = jsonval_string_or_empty(jsonval_get(spec, "names"), "kind");
    cleanup_mem char *path = mem_printf("apis/%s/%s", group, version);
    cleanup_json struct json_object *meta = new_meta();
    struct crds *crds = crds_new();
    struct err err;
    schema_free(f->published);
    f->published = NULL;
    f->published_root = NULL;
    f->published_version = f->version + 1;
    struct json_object *document =
        crds_add(crds, f->definition, &err) == 0 ? crds_document(crds, path, NULL, meta) : NULL;
    if (document != NULL) {
        const struct str text = text_of(document);
        const uint64_t spent = COPY_STEPS * (uint64_t)text.len;
        f->published = schema_new(text.at, text.len, NULL, 0, NULL);
        f->left -= spent < f->left ? spent : f->left;
    }
    if (f->published != NULL)
        f->published_root = schema_find(f->published, str_of(group), str_of(version), str_of(kind));
    json_object_put(document);
    crds_free(crds);
}

/* Evaluates a version's rules on a resource that takes the place of an old one; NULL: it is created. */
static void evaluate(struct finder *f, const struct crdevaluation *evaluation,
                     const struct crdevaluation_version *version, struct json_object *resource,
                     struct json_object *old, struct crd_run_result *result)
{
    if (f->published_version != f->version + 1)
        publish(f);
    const struct crd_run_request request = {.object = text_of(resource),
                                            .old_object = old == NULL ? STR("") : text_of(old),
                                            .doc = f->published_root == NULL ? NULL : f->published,
                                            .root = f->published_root};
    crdevaluation_run(evaluation, version, &request, result);
    const uint64_t spent = TRY_STEPS + result->arena.steps + result->arena.peak_bytes / ARENA_STEP_BYTES;
    f->left -= spent < f->left ? spent : f->left;
}

/* Whether a version's rules refuse the resource by this one; missing: since it reads this key where it is
 * not. Empty: for whatever reason. */
static bool refuses(const struct rule *rule, const struct crdevaluation *evaluation,
                    const struct crdevaluation_version *version, struct json_object *resource,
                    struct str missing)
{
    struct crd_run_result result;
    bool is_found = false;
    evaluate(rule->finder, evaluation, version, resource, rule->reads->uses_old ? resource : NULL, &result);
    for (size_t i = 0; i < result.error_count && !is_found; i++) {
        const struct crd_run_error *e = &result.errors[i];
        const bool is_wanted = missing.len == 0 || str_eq(e->missing_key, missing);
        is_found = is_wanted && str_eq(e->rule, str_of(rule->path));
    }
    crd_run_result_deinit(&result);
    return is_found;
}

/* Whether the rule fails on the resource, since it has no such field. */
static bool fails(const struct rule *rule, struct json_object *resource, struct str field)
{
    struct finder *f = rule->finder;
    return refuses(rule, f->evaluation, version_of(f), resource, field);
}

static bool is_same_step(const struct rule_step *a, const struct rule_step *b)
{
    return str_eq(a->field, b->field);
}

/* Whether the steps of one begin with those of the other. */
static bool begins_with(const struct rule_step *steps, size_t count, const struct rule_step *first,
                        size_t first_count)
{
    size_t i = 0;
    while (i < first_count && i < count && is_same_step(&steps[i], &first[i]))
        i++;
    return i == first_count;
}

/* A resource that has the settings of the mask, but not the field. The caller puts it. */
static struct json_object *resource_without(const struct rule *rule, const struct rule_read *read,
                                            uint64_t mask)
{
    struct json_object *resource = new_resource(rule->finder, rule->place);
    struct json_object *value = enter_place(resource, rule->place), *schema = rule->place->schema;
    for (size_t i = 0; value != NULL && i < rule->reads->setting_count && i < 64; i++) {
        if ((mask >> i & 1) != 0)
            set(value, schema, &rule->reads->settings[i]);
    }
    struct json_object *holder =
        value == NULL ? NULL : enter_steps(value, &schema, read->steps, read->step_count);
    const struct str field = read->steps[read->step_count - 1].field;
    cleanup_mem char *key = mem_strndup(field.at, field.len);
    if (json_object_is_type(holder, json_type_object))
        jsonval_drop(holder, key);
    return resource;
}

/* Settings that are tried together: none, each alone, all, all but one. */
static uint64_t mask_of(size_t attempt, size_t count)
{
    const uint64_t all = count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    if (attempt == 0)
        return 0;
    if (attempt == 1)
        return all;
    attempt -= 2;
    const uint64_t one = UINT64_C(1) << (attempt / 2 % 64);
    return attempt % 2 == 0 ? one : all & ~one;
}

/* Whether the rules of the version are evaluated: its schema is not too large. */
static bool can_run(struct finder *f)
{
    return version_of(f)->run != NULL;
}

/* Whether the value of each read is optional. The caller frees the list. */
static bool *find_optional(const struct rule *rule)
{
    bool *list = mem_array(rule->reads->count + 1, sizeof *list);
    for (size_t i = 0; i < rule->reads->count; i++) {
        const struct rule_read *read = &rule->reads->items[i];
        list[i] = is_optional(rule->place, read->steps, read->step_count);
    }
    return list;
}

/* The schema in a copy of the definition that stands at the place. */
static struct json_object *schema_in(struct json_object *root, const struct place *place)
{
    if (place->outer == NULL)
        return root;
    struct json_object *outer = schema_in(root, place->outer);
    return place->property == NULL ? element_of(outer)
                                   : jsonval_get(jsonval_get(outer, "properties"), place->property);
}

/* A copy of the definition with another text of the rule. The caller puts it. */
static struct json_object *with_rule(const struct rule *rule, struct str text)
{
    struct finder *f = rule->finder;
    struct json_object *copy = NULL;
    if (json_object_deep_copy(f->definition, &copy, NULL) != 0)
        return NULL;
    struct json_object *versions = jsonval_array(jsonval_get(copy, "spec"), "versions");
    struct json_object *version = jsonval_at(versions, f->version);
    struct json_object *root = jsonval_get(jsonval_get(version, "schema"), "openAPIV3Schema");
    struct json_object *rules = jsonval_array(schema_in(root, rule->place), RULES);
    jsonval_set(jsonval_at(rules, rule->index), "rule", json_object_new_string_len(text.at, (int)text.len));
    return copy;
}

/* The definition with the corrected rule. The caller frees it. */
static struct crdevaluation *correct(const struct rule *rule, struct str corrected)
{
    struct finder *f = rule->finder;
    struct json_object *copy = with_rule(rule, corrected);
    struct crdevaluation *made = copy == NULL ? NULL : crdevaluation_new(copy, f->env, f->minor);
    if (f->copy_steps == 0)
        f->copy_steps = COPY_STEPS * (uint64_t)text_of(f->definition).len;
    f->left -= f->copy_steps < f->left ? f->copy_steps : f->left;
    json_object_put(copy);
    return made;
}

/* Whether the corrected rule takes a resource on which the rule fails. If it refuses it as well, the author
 * wants the field to be there, and an error only says so in other words. */
static bool takes(const struct rule *rule, const struct crdevaluation *corrected,
                  struct json_object *resource)
{
    const struct crdevaluation_version *version = &corrected->versions[rule->finder->version];
    return version->run != NULL && !refuses(rule, corrected, version, resource, STR(""));
}

/* A resource on which the rule fails at the read, and which the corrected rule takes; corrected: empty: it
 * could not be corrected. NULL: none was found. The caller puts it. */
static struct json_object *prove(const struct rule *rule, const struct rule_read *read, struct str corrected)
{
    const size_t count = rule->reads->setting_count < 64 ? rule->reads->setting_count : 63;
    const struct str field = read->steps[read->step_count - 1].field;
    struct crdevaluation *evaluation = NULL;
    struct json_object *found = NULL;
    for (size_t i = 0; can_run(rule->finder) && i < 2 + 2 * count && i < TRIES_MAX &&
                       rule->finder->left > 0 && found == NULL;
         i++) {
        struct json_object *resource = resource_without(rule, read, mask_of(i, count));
        const bool is_failing = fails(rule, resource, field);
        if (is_failing && evaluation == NULL && corrected.len != 0)
            evaluation = correct(rule, corrected);
        if (is_failing && (corrected.len == 0 || (evaluation != NULL && takes(rule, evaluation, resource))))
            found = json_object_get(resource);
        json_object_put(resource);
    }
    crdevaluation_free(evaluation);
    return found;
}

static void place_in(struct str text, uint32_t offset, struct crdadvice_item *item)
{
    size_t start = 0;
    item->line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        if (text.at[i] != '\n')
            continue;
        item->line++;
        start = i + 1;
    }
    item->column = utf8_count(text.at + start, offset - start) + 1;
}

static void free_item(const struct crdadvice_item *item)
{
    mem_free(item->field);
    mem_free(item->message);
    mem_free(item->resource);
    mem_free(item->hint);
}

/* The same of another version is not reported again. */
static void add(const struct rule *rule, struct crdadvice_item item, uint32_t offset)
{
    struct crdadvice *out = rule->finder->out;
    item.field = mem_printf("%s.%s", version_of(rule->finder)->field, rule->path);
    place_in(rule->text, offset, &item);
    cleanup_mem char *key = mem_printf("%s\n%s\n%zu:%zu", rule->path, rule->text.at, item.line, item.column);
    if (!keymap_add(&rule->finder->known, key)) {
        free_item(&item);
        return;
    }
    out->items = mem_grow(out->items, out->count, sizeof *out->items);
    out->items[out->count++] = item;
}

/* Whether the way to the field has an optional field that is reported instead. */
static bool is_behind_another(const struct rule *rule, const bool *optional, const struct rule_read *read)
{
    for (size_t i = 0; i < rule->reads->count; i++) {
        const struct rule_read *other = &rule->reads->items[i];
        const bool is_before = other < read && other->step_count == read->step_count;
        if ((other->step_count < read->step_count || is_before) &&
            begins_with(read->steps, read->step_count, other->steps, other->step_count) && optional[i])
            return true;
    }
    return false;
}

/* corrected: the rule; empty: it could not be corrected. */
static void add_read(const struct rule *rule, const struct rule_read *read, struct str corrected,
                     struct json_object *resource)
{
    const struct str field = read->steps[read->step_count - 1].field;
    add(rule,
        (struct crdadvice_item){
            .sort = CRDADVICE_OPTIONAL_FIELD,
            .message =
                mem_printf("the field '%.*s'%s%.*s%s may be missing, and the rule then ends in an error",
                           STR_ARG(field), read->read.way.len == 0 ? "" : " of '", STR_ARG(read->read.way),
                           read->read.way.len == 0 ? "" : "'"),
            .resource = mem_strndup(text_of(resource).at, text_of(resource).len),
            .hint = corrected.len == 0 ? mem_strdup("")
                                       : mem_printf("write \"%.*s\"", STR_ARG(unicode_trimmed(corrected)))},
        read->offset);
}

static void look_at_reads(const struct rule *rule)
{
    bool *optional = find_optional(rule);
    for (size_t i = 0; i < rule->reads->count && rule->finder->left > 0; i++) {
        const struct rule_read *read = &rule->reads->items[i];
        if (!optional[i] || is_behind_another(rule, optional, read))
            continue;
        const struct str corrected = rule_reads_correct(rule->reads, rule->text, optional, i);
        struct json_object *resource = prove(rule, read, corrected);
        if (resource != NULL)
            add_read(rule, read, corrected, resource);
        json_object_put(resource);
    }
    mem_free(optional);
}

/* ---- constants ---- */

/* The enum of what the steps lead to, if it has only strings; NULL: there is none. */
static struct json_object *enum_behind(const struct place *place, const struct rule_constant *constant)
{
    struct json_object *schema = place->schema;
    for (size_t i = 0; schema != NULL && i < constant->step_count; i++)
        schema = schema_behind(schema, &constant->steps[i]);
    struct json_object *words = jsonval_array(schema, "enum");
    bool are_strings = jsonval_length(words) > 0;
    for (size_t i = 0; are_strings && i < jsonval_length(words); i++)
        are_strings = jsonval_text_at(words, i) != NULL;
    return are_strings ? words : NULL;
}

static bool has_word(struct json_object *words, struct str text)
{
    bool has = false;
    for (size_t i = 0; !has && i < jsonval_length(words); i++)
        has = str_eq(str_of(jsonval_text_at(words, i)), text);
    return has;
}

/* "Fast, Slow or Off": the first WORDS_SHOWN. The caller frees it. */
static char *list_words(struct json_object *words)
{
    const size_t count = jsonval_length(words), shown = count < WORDS_SHOWN ? count : WORDS_SHOWN;
    struct buf text;
    buf_init(&text, WORDS_BYTES);
    for (size_t i = 0; i < shown; i++)
        buf_printf(&text, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", jsonval_text_at(words, i));
    if (shown < count)
        buf_puts(&text, " or another word");
    return buf_take(&text, NULL);
}

/* "did you mean 'Fast'?"; "": no word is near. The caller frees it. */
static char *near_word(struct json_object *words, struct str wrong)
{
    cleanup_mem char *asked = mem_strndup(wrong.at, wrong.len);
    struct suggest nearest;
    suggest_init(&nearest, asked);
    for (size_t i = 0; i < jsonval_length(words); i++)
        suggest_offer(&nearest, jsonval_text_at(words, i));
    return nearest.best == NULL ? mem_strdup("") : mem_printf("did you mean '%s'?", nearest.best);
}

static void look_at_constants(const struct rule *rule)
{
    struct finder *f = rule->finder;
    for (size_t i = 0; i < rule->reads->constant_count && f->left > 0; i++) {
        const struct rule_constant *constant = &rule->reads->constants[i];
        struct json_object *words = enum_behind(rule->place, constant);
        const uint64_t spent = 1 + jsonval_length(words);
        f->left -= spent < f->left ? spent : f->left;
        if (words == NULL || constant->text.len == 0 || has_word(words, constant->text))
            continue;
        const struct str name =
            constant->step_count == 0 ? STR("self") : constant->steps[constant->step_count - 1].field;
        cleanup_mem char *listed = list_words(words);
        add(rule,
            (struct crdadvice_item){.sort = CRDADVICE_NEVER_EQUAL,
                                    .message = mem_printf("no value of %.*s is '%.*s': it is %s",
                                                          STR_ARG(name.len == 0 ? STR("an item") : name),
                                                          STR_ARG(constant->text), listed),
                                    .resource = mem_strdup(""),
                                    .hint = near_word(words, constant->text)},
            constant->offset);
    }
}

/* ---- transitions ---- */

static bool has_rule(const struct place *place, const char *part)
{
    struct json_object *rules = jsonval_array(place->schema, RULES);
    for (size_t i = 0; i < jsonval_length(rules); i++) {
        if (strstr(jsonval_string_or_empty(jsonval_at(rules, i), "rule"), part) != NULL)
            return true;
    }
    return false;
}

/* Whether a rule above compares the whole, or asks for the field. */
static bool is_covered_above(const struct place *place)
{
    static const char self[] = "self", old[] = "oldSelf";
    cleanup_mem char *same = mem_printf("%s == %s", self, old), *turned = mem_printf("%s == %s", old, self);
    cleanup_mem char *asked = mem_printf("has(self.%s)", place->property);
    bool is_covered = has_rule(place->outer, asked);
    for (const struct place *at = place->outer; at != NULL && !is_covered; at = at->outer)
        is_covered = has_rule(at, same) || has_rule(at, turned);
    return is_covered;
}

/* The texts of the rules at a place, RULES_MAX of them at most. The caller frees the list. */
static struct str *rules_at(const struct place *place, size_t *count)
{
    struct json_object *list = jsonval_array(place->schema, RULES);
    *count = jsonval_length(list) < RULES_MAX ? jsonval_length(list) : RULES_MAX;
    struct str *rules = mem_array(*count + 1, sizeof *rules);
    for (size_t i = 0; i < *count; i++)
        rules[i] = str_of(jsonval_string_or_empty(jsonval_at(list, i), "rule"));
    return rules;
}

/* The fields that lead to a place from an object around it. */
struct line {
    struct rule_field fields[DEPTH_MAX]; /* those from `first` on */
    size_t first;
    const struct place *from; /* the object; NULL: there is none farther out */
};

static struct line line_to(const struct place *place)
{
    return (struct line){.first = DEPTH_MAX, .from = place};
}

/* One object farther out. False: there is none, but a list or a map. */
static bool widen(struct line *line)
{
    const struct place *inner = line->from;
    if (inner->outer == NULL || inner->property == NULL || line->first == 0)
        return false;
    const struct rule_step step = {str_of(inner->property), false};
    line->fields[--line->first] = (struct rule_field){step.field, is_optional(inner->outer, &step, 1)};
    line->from = inner->outer;
    return true;
}

/* Whether a rule of an object around the field asks for it in the old object. */
static bool is_asked_before(const struct rule *rule)
{
    struct line line = line_to(rule->place);
    bool is_asked = false;
    while (!is_asked && widen(&line)) {
        size_t count;
        struct str *rules = rules_at(line.from, &count);
        is_asked = rule_reads_asks_before(rule->reads, rule->finder->env, rules, count,
                                          &line.fields[line.first], DEPTH_MAX - line.first);
        mem_free(rules);
    }
    return is_asked;
}

static size_t count_errors(const struct rule *rule, struct json_object *resource, struct json_object *old)
{
    struct finder *f = rule->finder;
    struct crd_run_result result;
    evaluate(f, f->evaluation, version_of(f), resource, old, &result);
    const size_t count = result.error_count;
    crd_run_result_deinit(&result);
    return count;
}

/* Whether some rule refuses the resource without the field, where it was there before. */
static bool keeps_the_field(const struct rule *rule, struct json_object *resource)
{
    struct json_object *without = NULL;
    if (json_object_deep_copy(resource, &without, NULL) != 0)
        return true;
    struct json_object *holder = enter_place(without, rule->place->outer);
    if (json_object_is_type(holder, json_type_object))
        jsonval_drop(holder, rule->place->property);
    const bool keeps = count_errors(rule, without, resource) > count_errors(rule, resource, resource);
    json_object_put(without);
    return keeps;
}

static bool is_said_once(const char *text)
{
    static const char *const phrases[] = {"once set",        "once it is set", "once it's set",
                                          "after being set", "set once",       "once it has been set"};
    size_t i = 0;
    while (i < sizeof phrases / sizeof *phrases && strcasestr(text, phrases[i]) == NULL)
        i++;
    return i < sizeof phrases / sizeof *phrases;
}

/* Whether the field is in a status that is not written when the resource is created. */
static bool is_in_status(const struct finder *f, const struct place *place)
{
    struct json_object *versions = jsonval_array(jsonval_get(f->definition, "spec"), "versions");
    while (place->outer != NULL && place->outer->outer != NULL)
        place = place->outer;
    return place->property != NULL && strcmp(place->property, "status") == 0 &&
           jsonval_get(jsonval_get(jsonval_at(versions, f->version), "subresources"), "status") != NULL;
}

/* Whether the field is meant to be set at any time, but only once. */
static bool is_set_once(const struct rule *rule, struct json_object *json)
{
    return is_in_status(rule->finder, rule->place) ||
           is_said_once(jsonval_string_or_empty(json, "message")) ||
           is_said_once(jsonval_string_or_empty(rule->place->schema, "description"));
}

/* A rule for the innermost object that is always there: who removes another one removes the field with it.
 */
static char *transition_hint(const struct rule *rule, bool is_once)
{
    struct line line = line_to(rule->place);
    size_t first = DEPTH_MAX - 1; /* the outermost optional field */
    while (widen(&line))
        first = line.fields[line.first].is_optional ? line.first : first;
    const struct rule_field *outermost = &line.fields[first];
    const size_t count = DEPTH_MAX - first;
    cleanup_mem char *where = count == 1
                                  ? mem_strdup("it")
                                  : mem_printf("'%.*s', which is optional, too", STR_ARG(outermost->name));
    const struct str once = rule_reads_keep(rule->reads, outermost, count, true),
                     always = rule_reads_keep(rule->reads, outermost, count, false);
    if (once.len == 0 || always.len == 0)
        return mem_strdup("make the field required");
    return is_once ? mem_printf("add the rule \"%.*s\" to the object around %s", STR_ARG(once), where)
                   : mem_printf("add the rule \"%.*s\" to the object around %s; or, if the field may be set "
                                "later, the rule \"%.*s\"",
                                STR_ARG(always), where, STR_ARG(once));
}

static void add_transition(const struct rule *rule, struct json_object *resource, bool is_once)
{
    static const char later[] = "in the old or in the new object: it can be set later, and removed",
                      removed[] = "in the new object: it can be removed, and then set to another value";
    add(rule,
        (struct crdadvice_item){
            .sort = CRDADVICE_TRANSITION_UNSET,
            .message = mem_printf("'%s' is optional, and the rule is not evaluated where it is missing %s",
                                  rule->place->property, is_once ? removed : later),
            .resource = mem_strndup(text_of(resource).at, text_of(resource).len),
            .hint = transition_hint(rule, is_once)},
        0);
}

static void look_at_transition(const struct rule *rule, struct json_object *json)
{
    const struct place *place = rule->place;
    if (!rule->reads->is_immutable || place->outer == NULL || place->property == NULL ||
        jsonval_is_true(json, "optionalOldSelf"))
        return;
    const struct rule_step step = {str_of(place->property), false};
    if (!is_optional(place->outer, &step, 1) || is_covered_above(place) || is_asked_before(rule) ||
        !can_run(rule->finder))
        return;
    struct json_object *resource = new_resource(rule->finder, place);
    (void)enter_place(resource, place);
    if (!keeps_the_field(rule, resource))
        add_transition(rule, resource, is_set_once(rule, json));
    json_object_put(resource);
}

static void look_at_rules(struct finder *f, const struct place *place, const char *path)
{
    struct json_object *list = jsonval_array(place->schema, RULES);
    size_t count;
    struct str *rules = rules_at(place, &count);
    for (size_t i = 0; i < count && f->left > 0; i++) {
        struct rule_reads reads;
        cleanup_mem char *name = mem_printf("%s%s" RULES "[%zu].rule", path, *path == '\0' ? "" : ".", i);
        const struct rule rule = {f, place, name, rules[i], &reads, i};
        const bool is_read = rule_reads_init(&reads, f->env, rules, count, i, READ_STEPS_MAX);
        f->left -= reads.arena.steps < f->left ? reads.arena.steps : f->left;
        if (is_read)
            look_at_constants(&rule);
        if (is_read && f->has_advice) {
            look_at_reads(&rule);
            look_at_transition(&rule, jsonval_at(list, i));
        }
        rule_reads_deinit(&reads);
    }
    mem_free(rules);
}

/* ---- a definition ---- */

static void walk(struct finder *f, const struct place *place, const char *path);

/* name: of the property, or of the keyword. */
static void walk_into(struct finder *f, const struct place *outer, struct json_object *schema,
                      const char *property, const char *path, const char *name)
{
    const struct place place = {outer, schema, property, outer->depth + 1};
    if (!json_object_is_type(schema, json_type_object) || place.depth >= DEPTH_MAX)
        return;
    cleanup_mem char *below =
        mem_printf(property == NULL ? "%s%s%s" : "%s%sproperties[%s]", path, *path == '\0' ? "" : ".", name);
    walk(f, &place, below);
}

/* Recurses as deep as DEPTH_MAX. */
static void walk(struct finder *f, const struct place *place, const char *path)
{
    static const char *const keywords[] = {"items", "additionalProperties"};
    look_at_rules(f, place, path);
    jsonval_each(jsonval_get(place->schema, "properties"), name, schema)
    {
        walk_into(f, place, schema, name, path, name);
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        walk_into(f, place, jsonval_get(place->schema, keywords[i]), NULL, path, keywords[i]);
}

void crdadvice_init(struct crdadvice *out, struct json_object *definition, const struct env *env, int minor,
                    bool has_advice)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    struct finder f = {.out = out,
                       .definition = definition,
                       .env = env,
                       .minor = minor,
                       .left = CRDADVICE_MAX_STEPS,
                       .has_advice = has_advice};
    *out = (struct crdadvice){NULL, 0};
    for (; f.version < jsonval_length(versions); f.version++) {
        struct json_object *schema = jsonval_get(jsonval_at(versions, f.version), "schema");
        const struct place root = {.schema = jsonval_get(schema, "openAPIV3Schema")};
        if (json_object_is_type(root.schema, json_type_object))
            walk(&f, &root, "");
    }
    crdevaluation_free(f.evaluation);
    schema_free(f.published);
    keymap_deinit(&f.known, NULL);
}

void crdadvice_deinit(struct crdadvice *advice)
{
    for (size_t i = 0; i < advice->count; i++)
        free_item(&advice->items[i]);
    mem_free(advice->items);
}
