#include "controller/apiserver/validation/server_warnings.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/apiserver/validation/ownerrefs.h"
#include "controller/apiserver/validation/static_manifest.h"
#include "controller/match/objectkind.h"
#include "controller/match/types_full.h"

/* Deeper than any schema that a server takes. */
enum { DEPTH_MAX = 256, PATH_CAP_BYTES = 1024 * 1024 };

/* The names of a way stand in the object, whose text is not longer (YAML_TEXT_CAP_BYTES). */
enum { WAY_CAP_BYTES = 128 * 1024 * 1024 };

/* Takes the text, unless it is there already. */
static void add(struct fielderrors *out, char *text, const char *field)
{
    for (size_t i = 0; i < out->count; i++) {
        if (strcmp(out->items[i].message, text) == 0) {
            mem_free(text);
            return;
        }
    }
    fielderrors_add(out, text, "%s", field);
}

/* ---- names ---- */

static void check_name(struct json_object *object, struct fielderrors *out)
{
    const char *name = jsonval_metadata(object, "name");
    if (!fielderrors_server(out).warns_of_static_names ||
        !str_has_suffix(str_of(name), STR(STATIC_MANIFEST_SUFFIX)))
        return;
    add(out,
        mem_strdup("metadata.name: names ending with \"" STATIC_MANIFEST_SUFFIX
                   "\" are reserved for static manifest-based configurations and cannot be managed via the "
                   "API"),
        "metadata.name");
}

/* References that another one repeats are dropped. */
static void check_owners(struct json_object *object, struct fielderrors *out)
{
    struct json_object *given = jsonval_array(jsonval_get(object, "metadata"), "ownerReferences");
    cleanup_json struct json_object *kept = ownerrefs_without_repeats(given);
    cleanup_buf struct buf uids;
    buf_init(&uids, PATH_CAP_BYTES);
    for (size_t i = 0, j = 0; i < jsonval_length(given); i++) {
        const char *uid = jsonval_string_or_empty(jsonval_at(given, i), "uid");
        if (ownerrefs_is(jsonval_at(kept, j), jsonval_at(given, i)))
            j++;
        else
            buf_printf(&uids, "%s%s", uids.len == 0 ? "" : ", ", uid);
    }
    if (jsonval_length(kept) < jsonval_length(given))
        add(out,
            mem_printf(
                ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in "
                "1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate "
                "UID(s) observed: %s",
                uids.data),
            "metadata.ownerReferences");
}

/* ---- webhooks ---- */

static void check_rule(struct json_object *rule, const char *at, struct fielderrors *out)
{
    struct json_object *groups = jsonval_array(rule, "apiGroups"),
                       *resources = jsonval_array(rule, "resources");
    if (jsonval_has_text(groups, "*") || jsonval_has_text(resources, "*"))
        return;
    for (size_t i = 0; i < jsonval_length(groups); i++) {
        for (size_t j = 0; j < jsonval_length(resources); j++) {
            const char *group = jsonval_text(jsonval_at(groups, i));
            const char *resource = jsonval_text(jsonval_at(resources, j));
            if (group != NULL && resource != NULL && types_full_is_review(group, resource))
                add(out,
                    mem_printf("%s: %s.%s is excluded from admission webhooks; this rule will have no effect",
                               at, resource, group),
                    at);
        }
    }
}

static void check_webhooks(struct json_object *configuration, struct fielderrors *out)
{
    struct json_object *hooks = jsonval_array(configuration, "webhooks");
    if (!fielderrors_server(out).warns_of_exclusions)
        return;
    for (size_t i = 0; i < jsonval_length(hooks); i++) {
        struct json_object *rules = jsonval_array(jsonval_at(hooks, i), "rules");
        for (size_t j = 0; j < jsonval_length(rules); j++) {
            cleanup_mem char *at = mem_printf("webhooks[%zu].rules[%zu]", i, j);
            check_rule(jsonval_at(rules, j), at, out);
        }
    }
}

/* ---- schemas ---- */

/* The formats of strings, without dashes:
 * k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go. */
static const char *const string_formats[] = {
    "bsonobjectid", "uri",   "email",    "hostname", "ipv4",     "ipv6",     "cidr", "mac",        "uuid",
    "uuid3",        "uuid4", "uuid5",    "isbn",     "isbn10",   "isbn13",   "ssn",  "creditcard", "hexcolor",
    "rgbcolor",     "byte",  "password", "date",     "duration", "datetime", NULL};
static const char *const newer_string_formats[] = {"k8sshortname", "k8slongname", NULL};
static const char *const integer_formats[] = {"int32", "int64", NULL};
static const char *const number_formats[] = {"float", "double", NULL};

static bool is_string_format(const char *format, const struct fielderrors *out)
{
    cleanup_mem char *plain = mem_strdup(format);
    size_t len = 0;
    for (const char *p = format; *p != '\0'; p++) {
        if (*p != '-')
            plain[len++] = *p;
    }
    plain[len] = '\0';
    return fielderrors_is_choice(plain, string_formats) ||
           (fielderrors_server(out).knows_name_formats && fielderrors_is_choice(plain, newer_string_formats));
}

static bool is_format(const char *type, const char *format, const struct fielderrors *out)
{
    if (strcmp(type, "string") != 0 && !fielderrors_server(out).warns_of_all_formats)
        return true;
    if (*type == '\0' || strcmp(type, "string") == 0)
        return is_string_format(format, out);
    if (strcmp(type, "integer") == 0)
        return fielderrors_is_choice(format, integer_formats);
    return strcmp(type, "number") == 0 && fielderrors_is_choice(format, number_formats);
}

/* The way to a schema: a member of the one before it, or an item of its list. Hardly any schema is warned of,
 * so the text is made where one is. */
struct way {
    const struct way *before; /* the way to the field around it; NULL if `name` is the whole beginning */
    const char *name;         /* the field's name; NULL for an item of a list */
    size_t index;             /* of the item */
};

static void put_way(struct buf *text, const struct way *way)
{
    if (way->before != NULL)
        put_way(text, way->before);
    if (way->name == NULL)
        buf_printf(text, "[%zu]", way->index);
    else
        buf_printf(text, "%s%s", way->before == NULL ? "" : ".", way->name);
}

/* "spec.versions[0].schema.openAPIV3Schema.format". The caller frees it. */
static char *field_at(const struct way *way, const char *name)
{
    struct buf text;
    const struct way field = {way, name, 0};
    buf_init(&text, WAY_CAP_BYTES);
    put_way(&text, &field);
    return buf_take(&text, NULL);
}

/* The members of a schema that are read. */
enum member {
    FORMAT,
    TYPE,
    LIST_TYPE,
    ITEMS, /* this and the next hold schemas */
    ALL_OF,
    ANY_OF,
    ONE_OF,
    NOT,
    PROPERTIES,
    ADDITIONAL_PROPERTIES,
    PATTERN_PROPERTIES,
    ADDITIONAL_ITEMS,
    DEFINITIONS,
    DEPENDENCIES,
    MEMBERS
};

/* The ways in which the members of a schema hold other schemas. */
enum holds { NONE, ONE, LIST, MAP };

static const struct {
    const char *name;
    enum holds holds;
} members[MEMBERS] = {
    [FORMAT] = {"format", NONE},
    [TYPE] = {"type", NONE},
    [LIST_TYPE] = {"x-kubernetes-list-type", NONE},
    [ITEMS] = {"items", ONE},
    [ALL_OF] = {"allOf", LIST},
    [ANY_OF] = {"anyOf", LIST},
    [ONE_OF] = {"oneOf", LIST},
    [NOT] = {"not", ONE},
    [PROPERTIES] = {"properties", MAP},
    [ADDITIONAL_PROPERTIES] = {"additionalProperties", ONE},
    [PATTERN_PROPERTIES] = {"patternProperties", MAP},
    [ADDITIONAL_ITEMS] = {"additionalItems", ONE},
    [DEFINITIONS] = {"definitions", MAP},
    [DEPENDENCIES] = {"dependencies", MAP},
};

/* Schemas have few members. MEMBERS: it is not read. */
static size_t find_member(const char *name)
{
    size_t i = 0;
    while (i < MEMBERS && (members[i].name[0] != name[0] || strcmp(members[i].name, name) != 0))
        i++;
    return i;
}

static const char *text_or_empty(struct json_object *value)
{
    const char *text = jsonval_text(value);
    return text == NULL ? "" : text;
}

static void check_format(struct json_object *const *values, const struct way *at, struct fielderrors *out)
{
    const char *format = text_or_empty(values[FORMAT]);
    if (*format == '\0' || is_format(text_or_empty(values[TYPE]), format, out))
        return;
    cleanup_buf struct buf text;
    cleanup_mem char *field = field_at(at, "format");
    buf_init(&text, PATH_CAP_BYTES);
    buf_puts(&text, "unrecognized format ");
    gotext_put_quoted(&text, format, strlen(format));
    add(out, mem_strdup(text.data), field);
}

static void check_set(struct json_object *const *values, const struct way *at, struct fielderrors *out)
{
    static const char *const types[] = {"object", "array", NULL};
    const char *type = jsonval_string_or_empty(values[ITEMS], "type");
    if (!fielderrors_server(out).warns_of_sets || strcmp(text_or_empty(values[LIST_TYPE]), "set") != 0 ||
        !fielderrors_is_choice(type, types))
        return;
    cleanup_mem char *field = field_at(at, "x-kubernetes-list-type");
    add(out,
        mem_printf(
            "x-kubernetes-list-type: set for items of type \"%s\" is not supported by server-side apply or "
            "CEL validation rules",
            type),
        field);
}

static void walk(struct json_object *schema, const struct way *at, int depth, struct fielderrors *out);

static void walk_member(struct json_object *member, enum holds holds, const struct way *at, int depth,
                        struct fielderrors *out)
{
    if (holds == LIST || json_object_is_type(member, json_type_array)) {
        for (size_t i = 0; i < jsonval_length(member); i++)
            walk(jsonval_at(member, i), &(struct way){at, NULL, i}, depth, out);
    } else if (holds == MAP && json_object_is_type(member, json_type_object)) {
        jsonval_each(member, key, value)
        {
            walk(value, &(struct way){at, key, 0}, depth, out);
        }
    } else if (holds == ONE) {
        walk(member, at, depth, out);
    }
}

/* Booleans and lists in the place of schemas hold nothing. */
static void walk(struct json_object *schema, const struct way *at, int depth, struct fielderrors *out)
{
    struct json_object *values[MEMBERS] = {NULL};
    if (!json_object_is_type(schema, json_type_object) || depth == DEPTH_MAX)
        return;
    jsonval_each(schema, name, value)
    {
        const size_t i = find_member(name);
        if (i < MEMBERS)
            values[i] = value;
    }
    check_format(values, at, out);
    check_set(values, at, out);
    for (size_t i = ITEMS; i < MEMBERS; i++) {
        if (values[i] != NULL)
            walk_member(values[i], members[i].holds, &(struct way){at, members[i].name, 0}, depth + 1, out);
    }
}

static void check_definition(struct json_object *definition, struct fielderrors *out)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    if (!fielderrors_server(out).warns_of_formats)
        return;
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        const struct way all = {NULL, "spec.versions", 0}, one = {&all, NULL, i},
                         schema = {&one, "schema", 0}, at = {&schema, "openAPIV3Schema", 0};
        walk(jsonval_get(jsonval_get(jsonval_at(versions, i), "schema"), "openAPIV3Schema"), &at, 0, out);
    }
}

void server_warnings_find(struct json_object *object, struct fielderrors *out)
{
    const char *kind = jsonval_string_or_empty(object, "kind");
    if (objectkind_named(kind) == OBJECTKIND_CRD) {
        check_definition(object, out);
        return;
    }
    check_owners(object, out);
    check_name(object, out);
    if (objectkind_words_of(kind) == OBJECTKIND_WORDS_WEBHOOKS)
        check_webhooks(object, out);
}
