#include "controller/apiserver/crd/crds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdschema.h"
#include "controller/apiserver/crd/crdversion.h"

#define SCALE "io.k8s.api.autoscaling.v1.Scale"

/* Deeper than components refer to each other. */
enum { REF_DEPTH = 32 };

/* More than a file may have (YAML_TEXT_CAP_BYTES), with what is published besides: no text is cut. */
enum { SCHEMA_CAP_BYTES = 512 * 1024 * 1024 };

struct crd {
    struct json_object *json; /* the whole object, or what strip leaves of it */
    struct json_object *versions;
    char **schemas; /* by version: what is published of it, as JSON; NULL: that is written of the version */
    const char *name, *group, *plural, *kind;
    char *singular, *list_kind;
};

struct crds_definition {
    struct crd crd;
};

/* A version that is served. */
struct served {
    const struct crd *crd;
    struct json_object *version;
    size_t index; /* of the version */
    const char *name;
    size_t order; /* the last of equal entries counts */
};

/* All versions, in the order of discovery. */
struct served_list {
    struct served *items;
    size_t count;
    bool is_made; /* not before it is asked for */
};

struct crds {
    struct crd *items;
    size_t count;
    struct json_object *places; /* by name: the index in items */
    struct served_list *served;
    bool keeps_types; /* crds_keep_types */
};

/* ---- the definitions ---- */

struct crds *crds_new(void)
{
    struct crds *crds = mem_zalloc(sizeof *crds);
    crds->places = json_object_new_object();
    crds->served = mem_zalloc(sizeof *crds->served);
    return crds;
}

static void forget_served(struct crds *crds)
{
    mem_free(crds->served->items);
    *crds->served = (struct served_list){.items = NULL};
}

static void deinit(struct crd *crd)
{
    for (size_t i = 0; crd->schemas != NULL && i < jsonval_length(crd->versions); i++)
        mem_free(crd->schemas[i]);
    mem_free(crd->schemas);
    json_object_put(crd->json);
    mem_free(crd->singular);
    mem_free(crd->list_kind);
}

void crds_free(struct crds *crds)
{
    if (crds == NULL)
        return;
    for (size_t i = 0; i < crds->count; i++)
        deinit(&crds->items[i]);
    forget_served(crds);
    mem_free(crds->served);
    json_object_put(crds->places);
    mem_free(crds->items);
    mem_free(crds);
}

void crds_keep_types(struct crds *crds)
{
    crds->keeps_types = true;
}

bool crds_is_empty(const struct crds *crds)
{
    return crds->count == 0;
}

/* The singular name is the kind in lower case where none is given. */
static char *singular_of(struct json_object *names, const char *kind)
{
    const char *given = jsonval_string_or_empty(names, "singular");
    char *singular = mem_strdup(*given != '\0' ? given : kind);
    for (char *p = singular; *given == '\0' && *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    return singular;
}

static char *list_kind_of(struct json_object *names, const char *kind)
{
    const char *given = jsonval_string_or_empty(names, "listKind");
    return *given != '\0' ? mem_strdup(given) : mem_printf("%sList", kind);
}

static int check_present(const char *value, const char *field, struct err *err)
{
    return *value != '\0' ? 0 : err_set(err, ERR_INVALID, "%s is missing", field);
}

/* An object with these members of another one, as far as that has them. */
static struct json_object *pick(struct json_object *from, const char *const *names, size_t count)
{
    struct json_object *picked = json_object_new_object();
    for (size_t i = 0; i < count; i++) {
        struct json_object *value = jsonval_get(from, names[i]);
        if (value != NULL)
            jsonval_set(picked, names[i], json_object_get(value));
    }
    return picked;
}

/* The definition without its schemas, and all else that nobody asks for. */
static struct json_object *strip(struct json_object *definition)
{
    static const char *const of_metadata[] = {"name"}, *const of_spec[] = {"group", "names", "scope"},
                             *const of_version[] = {"name", "served", "subresources", "selectableFields"};
    struct json_object *stripped = json_object_new_object();
    struct json_object *from = jsonval_get(definition, "spec");
    struct json_object *spec = pick(from, of_spec, sizeof of_spec / sizeof *of_spec);
    struct json_object *versions = jsonval_array(from, "versions"), *list = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(versions); i++)
        jsonval_append(list,
                       pick(jsonval_at(versions, i), of_version, sizeof of_version / sizeof *of_version));
    jsonval_set(spec, "versions", list);
    jsonval_set(stripped, "metadata", pick(jsonval_get(definition, "metadata"), of_metadata, 1));
    jsonval_set(stripped, "spec", spec);
    return stripped;
}

/* The published schema of each version. */
static char **write_schemas(struct json_object *versions)
{
    char **schemas = mem_array(jsonval_length(versions) + 1, sizeof *schemas);
    cleanup_buf struct buf text;
    buf_init(&text, SCHEMA_CAP_BYTES);
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        buf_reset(&text);
        crdschema_write_types(&text, crdversion_schema(jsonval_at(versions, i)));
        schemas[i] = mem_strndup(text.data, text.len); /* without the room behind it */
    }
    return schemas;
}

/* json: the definition, or what is left of it. */
static struct crd read(struct json_object *json)
{
    struct json_object *spec = jsonval_get(json, "spec"), *names = jsonval_get(spec, "names");
    return (struct crd){
        .json = json,
        .versions = jsonval_array(spec, "versions"),
        .name = jsonval_metadata(json, "name"),
        .group = jsonval_string_or_empty(spec, "group"),
        .plural = jsonval_string_or_empty(names, "plural"),
        .kind = jsonval_string_or_empty(names, "kind"),
    };
}

static int check_whole(const struct crd *crd, struct err *err)
{
    const bool has_versions = jsonval_length(crd->versions) > 0;
    return check_present(crd->name, "metadata.name", err) != 0 ||
                   check_present(crd->group, "spec.group", err) != 0 ||
                   check_present(crd->plural, "spec.names.plural", err) != 0 ||
                   check_present(crd->kind, "spec.names.kind", err) != 0 ||
                   check_present(has_versions ? "some" : "", "spec.versions", err) != 0
               ? -1
               : 0;
}

/* All that is kept of it. */
static struct crd keep(struct json_object *definition, bool keeps_types)
{
    struct crd crd = read(keeps_types ? strip(definition) : json_object_get(definition));
    struct json_object *names = jsonval_get(jsonval_get(crd.json, "spec"), "names");
    if (keeps_types)
        crd.schemas = write_schemas(jsonval_array(jsonval_get(definition, "spec"), "versions"));
    crd.singular = singular_of(names, crd.kind);
    crd.list_kind = list_kind_of(names, crd.kind);
    return crd;
}

static void put(struct crds *crds, struct crd crd)
{
    forget_served(crds);
    const int64_t place = jsonval_int(crds->places, crd.name, -1);
    if (place >= 0) {
        deinit(&crds->items[place]);
        crds->items[place] = crd;
        return;
    }
    jsonval_set(crds->places, crd.name, json_object_new_int64((int64_t)crds->count));
    crds->items = mem_grow(crds->items, crds->count, sizeof *crds->items);
    crds->items[crds->count++] = crd;
}

int crds_add(struct crds *crds, struct json_object *definition, struct err *err)
{
    const struct crd crd = read(definition);
    if (check_whole(&crd, err) != 0)
        return -1;
    put(crds, keep(definition, crds->keeps_types));
    return 0;
}

struct crds_definition *crds_read(struct json_object *definition)
{
    const struct crd crd = read(definition);
    struct err ignored;
    if (check_whole(&crd, &ignored) != 0)
        return NULL;
    struct crds_definition *d = mem_zalloc(sizeof *d);
    d->crd = keep(definition, true);
    return d;
}

void crds_definition_free(struct crds_definition *d)
{
    if (d != NULL)
        deinit(&d->crd);
    mem_free(d);
}

void crds_take(struct crds *crds, struct crds_definition *d)
{
    put(crds, d->crd);
    d->crd = (struct crd){.json = NULL};
}

/* The name of a version that is served, else NULL. */
static const char *served_version(struct json_object *version)
{
    return jsonval_is_true(version, "served") ? jsonval_string(version, "name") : NULL;
}

/* ---- discovery ---- */

static struct json_object *string_list(const char *const *strings, size_t count)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        jsonval_append(list, json_object_new_string(strings[i]));
    return list;
}

static void add_string(struct json_object *object, const char *key, const char *value)
{
    jsonval_set(object, key, json_object_new_string(value));
}

static struct json_object *group_version_kind(const char *group, const char *version, const char *kind)
{
    struct json_object *gvk = json_object_new_object();
    add_string(gvk, "group", group);
    add_string(gvk, "kind", kind);
    add_string(gvk, "version", version);
    return gvk;
}

static void add_subresource(struct json_object *list, const char *name, struct json_object *kind)
{
    static const char *const verbs[] = {"get", "patch", "update"};
    struct json_object *entry = json_object_new_object();
    jsonval_set(entry, "responseKind", kind);
    add_string(entry, "subresource", name);
    jsonval_set(entry, "verbs", string_list(verbs, sizeof verbs / sizeof *verbs));
    jsonval_append(list, entry);
}

static struct json_object *subresource_entries(const struct crd *crd, struct json_object *version,
                                               const char *name)
{
    struct json_object *given = jsonval_get(version, "subresources");
    struct json_object *list = json_object_new_array();
    if (jsonval_get(given, "status") != NULL)
        add_subresource(list, "status", group_version_kind(crd->group, name, crd->kind));
    if (jsonval_get(given, "scale") != NULL)
        add_subresource(list, "scale", group_version_kind("autoscaling", "v1", "Scale"));
    return list;
}

static void add_filled(struct json_object *object, const char *key, struct json_object *list)
{
    if (jsonval_length(list) > 0)
        jsonval_set(object, key, json_object_get(list));
}

static struct json_object *resource_entry(const struct crd *crd, struct json_object *version,
                                          const char *name)
{
    static const char *const verbs[] = {"delete", "deletecollection", "get",    "list",
                                        "patch",  "create",           "update", "watch"};
    struct json_object *spec = jsonval_get(crd->json, "spec");
    struct json_object *names = jsonval_get(spec, "names");
    struct json_object *entry = json_object_new_object();
    bool is_namespaced = jsonval_is(spec, "scope", "Namespaced");
    add_string(entry, "resource", crd->plural);
    jsonval_set(entry, "responseKind", group_version_kind(crd->group, name, crd->kind));
    add_string(entry, "scope", is_namespaced ? "Namespaced" : "Cluster");
    add_filled(entry, "shortNames", jsonval_array(names, "shortNames"));
    add_filled(entry, "categories", jsonval_array(names, "categories"));
    add_string(entry, "singularResource", crd->singular);
    cleanup_json struct json_object *subresources = subresource_entries(crd, version, name);
    add_filled(entry, "subresources", subresources);
    jsonval_set(entry, "verbs", string_list(verbs, sizeof verbs / sizeof *verbs));
    return entry;
}

/* "v2", "v1", "v1beta2", "v1alpha1": rank and numbers of what reads like that; rank 0 for others. */
static int parse_version(const char *version, unsigned long *major, unsigned long *minor)
{
    char *end;
    *major = *minor = 0;
    if (version[0] != 'v' || !isdigit((unsigned char)version[1]))
        return 0;
    *major = strtoul(version + 1, &end, 10);
    if (*end == '\0')
        return 3;
    int rank = strncmp(end, "beta", 4) == 0 ? 2 : strncmp(end, "alpha", 5) == 0 ? 1 : 0;
    const char *number = end + (rank == 2 ? 4 : 5);
    if (rank == 0 || !isdigit((unsigned char)*number))
        return 0;
    *minor = strtoul(number, &end, 10);
    return *end == '\0' ? rank : 0;
}

/* Returns true if the server prefers version a to b (CompareKubeAwareVersionStrings). */
static bool is_preferred(const char *a, const char *b)
{
    unsigned long a_major, a_minor, b_major, b_minor;
    int a_rank = parse_version(a, &a_major, &a_minor), b_rank = parse_version(b, &b_major, &b_minor);
    if (a_rank != b_rank)
        return a_rank > b_rank;
    if (a_rank == 0)
        return strcmp(a, b) < 0;
    return a_major != b_major ? a_major > b_major : a_minor > b_minor;
}

static bool is_before(const char *a, const char *b)
{
    return strcmp(a, b) < 0;
}

/* Returns the entry that takes the place of two with the same name: one that was there, and one that
 * comes. */
typedef struct json_object *join_function(struct json_object *there, struct json_object *comes);

/* Each of `comes`, which is sorted, stands before the first entry that comes after it. */
static struct json_object *merge(struct json_object *there, struct json_object *comes, const char *key,
                                 bool (*comes_before)(const char *a, const char *b), join_function *join)
{
    struct json_object *all = json_object_new_array();
    size_t next = 0;
    for (size_t i = 0; i < jsonval_length(there); i++) {
        struct json_object *entry = jsonval_at(there, i);
        const char *name = jsonval_string_or_empty(entry, key);
        while (next < jsonval_length(comes) &&
               comes_before(jsonval_string_or_empty(jsonval_at(comes, next), key), name))
            jsonval_append(all, json_object_get(jsonval_at(comes, next++)));
        if (next < jsonval_length(comes) && jsonval_is(jsonval_at(comes, next), key, name))
            entry = join(entry, jsonval_at(comes, next++));
        jsonval_append(all, json_object_get(entry));
    }
    for (; next < jsonval_length(comes); next++)
        jsonval_append(all, json_object_get(jsonval_at(comes, next)));
    return all;
}

static struct json_object *join_resources(struct json_object *there, struct json_object *comes)
{
    (void)there;
    return comes;
}

static struct json_object *join_versions(struct json_object *there, struct json_object *comes)
{
    jsonval_set(there, "resources",
                merge(jsonval_array(there, "resources"), jsonval_array(comes, "resources"), "resource",
                      is_before, join_resources));
    return there;
}

static int compare_versions(const char *a, const char *b)
{
    return is_preferred(a, b) ? -1 : is_preferred(b, a);
}

/* Compares by group and version. */
static int compare_places(const struct served *x, const struct served *y)
{
    const int by_group = strcmp(x->crd->group, y->crd->group);
    if (by_group != 0)
        return by_group;
    const int by_version = compare_versions(x->name, y->name);
    return by_version != 0 ? by_version : strcmp(x->name, y->name); /* "v1" and "v01" */
}

static int compare_orders(const void *a, const void *b)
{
    const struct served *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_served(const void *a, const void *b)
{
    const struct served *x = a, *y = b;
    const int by_place = compare_places(x, y);
    if (by_place != 0)
        return by_place;
    const int by_resource = strcmp(x->crd->plural, y->crd->plural);
    return by_resource != 0 ? by_resource : compare_orders(a, b);
}

static const struct served_list *list_served(const struct crds *crds)
{
    struct served_list *all = crds->served;
    size_t most = 0;
    if (all->is_made)
        return all;
    for (size_t i = 0; i < crds->count; i++)
        most += jsonval_length(crds->items[i].versions);
    all->items = mem_array(most + 1, sizeof *all->items);
    for (size_t i = 0; i < crds->count; i++) {
        for (size_t j = 0; j < jsonval_length(crds->items[i].versions); j++) {
            struct json_object *version = jsonval_at(crds->items[i].versions, j);
            const char *name = served_version(version);
            if (name != NULL) {
                all->items[all->count] = (struct served){&crds->items[i], version, j, name, all->count};
                all->count++;
            }
        }
    }
    qsort(all->items, all->count, sizeof *all->items, compare_served);
    all->is_made = true;
    return all;
}

/* The entry of all resources of one group and version. */
static struct json_object *version_entry(const struct served *all, size_t count)
{
    struct json_object *version = json_object_new_object(), *resources = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || strcmp(all[i].crd->plural, all[i + 1].crd->plural) != 0)
            jsonval_append(resources, resource_entry(all[i].crd, all[i].version, all[i].name));
    }
    add_string(version, "version", all[0].name);
    jsonval_set(version, "resources", resources);
    add_string(version, "freshness", "Current");
    return version;
}

/* The entries of the versions of one group. The caller puts the list. */
static struct json_object *version_entries(const struct served *all, size_t count)
{
    struct json_object *versions = json_object_new_array();
    for (size_t from = 0, to; from < count; from = to) {
        to = from + 1;
        while (to < count && strcmp(all[from].name, all[to].name) == 0)
            to++;
        jsonval_append(versions, version_entry(all + from, to - from));
    }
    return versions;
}

/* Finds a group among the first count ones; NULL: it is not there. */
static struct json_object *find_group(struct json_object *groups, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (jsonval_is(jsonval_get(jsonval_at(groups, i), "metadata"), "name", name))
            return jsonval_at(groups, i);
    }
    return NULL;
}

static struct json_object *add_group(struct json_object *groups, const char *name)
{
    struct json_object *group = json_object_new_object(), *metadata = json_object_new_object();
    add_string(metadata, "name", name);
    jsonval_set(group, "metadata", metadata);
    jsonval_append(groups, group);
    return group;
}

/* Groups that definitions bring follow those that the server has, by name. */
static void add_to_discovery(const struct crds *crds, struct json_object *groups)
{
    const size_t n_there = jsonval_length(groups), count = list_served(crds)->count;
    const struct served *all = list_served(crds)->items;
    for (size_t from = 0, to; from < count; from = to) {
        const char *name = all[from].crd->group;
        to = from + 1;
        while (to < count && strcmp(name, all[to].crd->group) == 0)
            to++;
        struct json_object *group = find_group(groups, n_there, name);
        if (group == NULL)
            group = add_group(groups, name);
        cleanup_json struct json_object *versions = version_entries(all + from, to - from);
        jsonval_set(
            group, "versions",
            merge(jsonval_array(group, "versions"), versions, "version", is_preferred, join_versions));
    }
}

struct json_object *crds_discovery(const struct crds *crds, struct json_object *apis)
{
    struct json_object *out = NULL;
    if (json_object_deep_copy(apis, &out, NULL) != 0)
        return NULL;
    struct json_object *groups = jsonval_array(out, "items");
    if (groups != NULL)
        add_to_discovery(crds, groups);
    return out;
}

/* ---- documents ---- */

/* "com.example.shop.v1.Widget" */
static char *component_name(const char *group, const char *version, const char *kind)
{
    cleanup_mem char *reversed = mem_strdup("");
    for (const char *end = group + strlen(group); end > group;) {
        const char *start = end;
        while (start > group && start[-1] != '.')
            start--;
        char *longer =
            mem_printf("%s%s%.*s", reversed, *reversed == '\0' ? "" : ".", (int)(end - start), start);
        mem_free(reversed);
        reversed = longer;
        end = start > group ? start - 1 : group;
    }
    return mem_printf("%s.%s.%s", reversed, version, kind);
}

static void mark_kind(struct json_object *schema, const struct crd *crd, const char *version,
                      const char *kind)
{
    struct json_object *list = json_object_new_array();
    jsonval_append(list, group_version_kind(crd->group, version, kind));
    jsonval_set(schema, "x-kubernetes-group-version-kind", list);
}

static void mark_selectable_fields(struct json_object *schema, struct json_object *version)
{
    struct json_object *given = jsonval_array(version, "selectableFields");
    if (jsonval_length(given) == 0)
        return;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(given); i++) {
        const char *path = jsonval_string_or_empty(jsonval_at(given, i), "jsonPath");
        struct json_object *field = json_object_new_object();
        add_string(field, "fieldPath", *path == '.' ? path + 1 : path);
        jsonval_append(list, field);
    }
    jsonval_set(schema, "x-kubernetes-selectable-fields", list);
}

static struct json_object *list_schema(const struct crd *crd, const char *item)
{
    static const char *const required[] = {"items"};
    cleanup_mem char *description = mem_printf("%s is a list of %s", crd->list_kind, crd->kind);
    cleanup_mem char *ref = mem_printf(CRDSCHEMA_REF "%s", item);
    struct json_object *schema = crdschema_of_type("object"), *items = crdschema_of_type("array");
    struct json_object *element = json_object_new_object(), *properties = json_object_new_object();
    add_string(element, "$ref", ref);
    jsonval_set(items, "items", element);
    jsonval_set(properties, "apiVersion", crdschema_of_type("string"));
    jsonval_set(properties, "items", items);
    jsonval_set(properties, "kind", crdschema_of_type("string"));
    jsonval_set(properties, "metadata", crdschema_ref(CRDSCHEMA_LIST_META));
    add_string(schema, "description", description);
    jsonval_set(schema, "properties", properties);
    jsonval_set(schema, "required", string_list(required, 1));
    return schema;
}

/* Appends its published schema, an object. */
static void write_published(struct buf *out, const struct served *served)
{
    char **kept = served->crd->schemas;
    if (kept != NULL)
        (void)buf_puts(out, kept[served->index]);
    else
        crdschema_write(out, crdversion_schema(served->version));
}

/* The same as a tree. The caller puts it. */
static struct json_object *published(const struct served *served)
{
    struct json_object *schema = NULL;
    struct err err = {0};
    cleanup_buf struct buf text;
    buf_init(&text, SCHEMA_CAP_BYTES);
    write_published(&text, served);
    return jsonval_parse(text.data, text.len, &schema, &err) == 0 ? schema : crdschema_of_type("object");
}

/* The part of a published schema that comes from its definition. */
static void mark(struct json_object *schema, const struct served *served, const char *kind)
{
    mark_kind(schema, served->crd, served->name, kind);
    mark_selectable_fields(schema, served->version);
}

/* The schema of the kind, and of the list. */
static void add_components(const struct served *served, struct json_object *schema,
                           struct json_object *components)
{
    const struct crd *crd = served->crd;
    cleanup_mem char *kind = component_name(crd->group, served->name, crd->kind);
    cleanup_mem char *list_kind = component_name(crd->group, served->name, crd->list_kind);
    struct json_object *list = list_schema(crd, kind);
    mark(list, served, crd->list_kind);
    jsonval_set(components, kind, schema);
    jsonval_set(components, list_kind, list);
}

static struct json_object *components_of(struct json_object *document)
{
    return jsonval_get(jsonval_get(document, "components"), "schemas");
}

static void add_closure(struct json_object *to, struct json_object *from, const char *name, int depth);

/* Adds what the schema refers to, wherever in it. */
static void add_refs(struct json_object *to, struct json_object *from, struct json_object *schema, int depth)
{
    if (json_object_is_type(schema, json_type_array)) {
        for (size_t i = 0; i < jsonval_length(schema); i++)
            add_refs(to, from, jsonval_at(schema, i), depth);
    } else if (json_object_is_type(schema, json_type_object)) {
        const char *ref = jsonval_string_or_empty(schema, "$ref");
        if (strncmp(ref, CRDSCHEMA_REF, strlen(CRDSCHEMA_REF)) == 0)
            add_closure(to, from, ref + strlen(CRDSCHEMA_REF), depth - 1);
        jsonval_each(schema, key, value)
        {
            (void)key;
            add_refs(to, from, value, depth);
        }
    }
}

/* A component of another document, with all that it refers to. */
static void add_closure(struct json_object *to, struct json_object *from, const char *name, int depth)
{
    struct json_object *schema = jsonval_get(from, name);
    if (depth == 0 || schema == NULL || jsonval_get(to, name) != NULL)
        return;
    jsonval_set(to, name, json_object_get(schema));
    add_refs(to, from, schema, depth);
}

static struct json_object *new_document(struct json_object *base)
{
    struct json_object *document = json_object_new_object();
    struct json_object *parent = json_object_new_object();
    add_string(document, "openapi", "3.0.0");
    jsonval_set(document, "paths", json_object_new_object());
    jsonval_set(document, "components", parent);
    jsonval_set(parent, "schemas", jsonval_copy(components_of(base)));
    return document;
}

/* The versions that are served at the path, in the order of the definitions. The caller frees them. */
static struct served *find_served(const struct crds *crds, const char *path, size_t *count)
{
    static const char prefix[] = "apis/";
    const struct served_list *all = list_served(crds);
    const char *slash = strrchr(path, '/');
    *count = 0;
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || slash < path + sizeof prefix - 1)
        return NULL;
    cleanup_mem char *group =
        mem_strndup(path + sizeof prefix - 1, (size_t)(slash - path) - (sizeof prefix - 1));
    const struct crd crd = {.group = group};
    const struct served wanted = {.crd = &crd, .name = slash + 1};
    size_t first = 0, behind = all->count;
    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;
        if (compare_places(&all->items[middle], &wanted) < 0)
            first = middle + 1;
        else
            behind = middle;
    }
    while (behind < all->count && compare_places(&all->items[behind], &wanted) == 0)
        behind++;
    *count = behind - first;
    struct served *found = mem_array(*count + 1, sizeof *found);
    memcpy(found, all->items + first, *count * sizeof *found);
    qsort(found, *count, sizeof *found, compare_orders);
    return found;
}

/* The definitions of a document. is_text: a schema is only the number of its definition. */
static struct json_object *make_document(const struct served *found, size_t count, struct json_object *base,
                                         struct json_object *meta, bool is_text)
{
    struct json_object *document = new_document(base), *components = components_of(document);
    for (size_t i = 0; i < count; i++) {
        struct json_object *schema = is_text ? json_object_new_int64((int64_t)i) : published(&found[i]);
        if (!is_text)
            mark(schema, &found[i], found[i].crd->kind);
        add_components(&found[i], schema, components);
        add_closure(components, components_of(meta), CRDSCHEMA_OBJECT_META, REF_DEPTH);
        add_closure(components, components_of(meta), CRDSCHEMA_LIST_META, REF_DEPTH);
        if (jsonval_get(jsonval_get(found[i].version, "subresources"), "scale") != NULL)
            add_closure(components, components_of(meta), SCALE, REF_DEPTH);
    }
    return document;
}

struct json_object *crds_document(const struct crds *crds, const char *path, struct json_object *base,
                                  struct json_object *meta)
{
    size_t count;
    cleanup_mem struct served *found = find_served(crds, path, &count);
    return count == 0 ? NULL : make_document(found, count, base, meta, false);
}

/* The published schema with its marks behind its members. */
static void write_marked(struct buf *out, const struct served *served)
{
    cleanup_json struct json_object *marks = json_object_new_object();
    cleanup_buf struct buf of_marks;
    buf_init(&of_marks, SCHEMA_CAP_BYTES);
    mark(marks, served, served->crd->kind);
    jsontree_write(&of_marks, marks);
    write_published(out, served);
    out->data[--out->len] = '\0';
    (void)buf_puts(out, out->data[out->len - 1] == '{' ? "" : ",");
    (void)buf_puts(out, of_marks.data + 1);
}

static void write_components(struct buf *out, struct json_object *components, const struct served *found)
{
    const char *separator = "";
    jsonval_each(components, name, schema)
    {
        buf_puts(out, separator);
        buf_put_json(out, name, strlen(name));
        buf_putc(out, ':');
        if (json_object_is_type(schema, json_type_int))
            write_marked(out, &found[json_object_get_int64(schema)]);
        else
            jsontree_write(out, schema);
        separator = ",";
    }
}

bool crds_write(const struct crds *crds, const char *path, struct json_object *base, struct json_object *meta,
                struct buf *out)
{
    size_t count;
    cleanup_mem struct served *found = find_served(crds, path, &count);
    if (count == 0)
        return false;
    cleanup_json struct json_object *document = make_document(found, count, base, meta, true);
    buf_puts(out, "{\"openapi\":\"3.0.0\",\"paths\":{},\"components\":{\"schemas\":{");
    write_components(out, components_of(document), found);
    buf_puts(out, "}}}");
    return true;
}
