#include "cmd/kubectl-vapcheck/test/run/testrequest.h"

#include <ctype.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/base/rfc3339.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/requestobject.h"

/* Who asks, if a test does not say: each request has a user. */
#define USER_NAME  "vapcheck-test"
#define USER_GROUP "system:authenticated"

/* Of an object that a test gives none. */
static const char UID[] = "00000000-0000-4000-8000-000000000000";

static struct json_object *string(const char *text)
{
    return json_object_new_string(text);
}

static void put(struct json_object *o, const char *key, const char *text)
{
    if (*text != '\0')
        jsonval_set(o, key, string(text));
}

static const char *metadata_of(const struct testobject *o, const char *key)
{
    return o == NULL ? "" : jsonval_metadata(o->root->json, key);
}

static bool refuse(struct testrequest *r, struct testplace place, char *problem)
{
    r->problem = problem;
    r->problem_place = place;
    return false;
}

/* ---- kind and resource ---- */

/* As Kubernetes guesses it (meta.UnsafeGuessKindToResource). */
static char *guess_resource(const char *kind)
{
    char *name = mem_printf("%ss", kind);
    size_t len = strlen(kind);
    for (size_t i = 0; i < len; i++)
        name[i] = (char)tolower((unsigned char)name[i]);
    if (len > 0 && (name[len - 1] == 's' || name[len - 1] == 'y')) {
        char *other = mem_printf("%.*s%s", (int)len - (name[len - 1] == 'y'), name,
                                 name[len - 1] == 'y' ? "ies" : "es");
        mem_free(name);
        return other;
    }
    return name;
}

/* The resources that have the subresource with objects of this kind, in whatever group: a Scale of
 * autoscaling belongs to deployments of apps. */
struct parents {
    const char *wanted; /* the resource's name, or name.group; "": any */
    const struct discovery_resource *found;
    size_t count;
};

static bool is_wanted(const char *wanted, const char *name, const char *group)
{
    const size_t len = strlen(name);
    return *wanted == '\0' || strcmp(wanted, name) == 0 ||
           (strncmp(wanted, name, len) == 0 && wanted[len] == '.' && strcmp(wanted + len + 1, group) == 0);
}

static void add_parents(struct testrequest *r, const char *group, const struct discovery_version *version,
                        struct parents *out)
{
    for (size_t i = 0; i < version->n_resources; i++) {
        const struct discovery_resource *parent = &version->resources[i],
                                        *sub = discovery_find_resource(version, parent->name, r->subresource);
        if (sub == NULL || strcmp(sub->kind, r->kind) != 0 || strcmp(sub->group, r->group) != 0 ||
            strcmp(sub->version, r->version) != 0 || !is_wanted(out->wanted, parent->name, group))
            continue;
        out->count++;
        out->found = parent;
        r->resource_group = group;
        r->resource_version = version->version;
    }
}

static bool find_parent(struct testrequest *r, const struct testcase *t, const struct discovery *discovery,
                        const struct discovery_resource **found)
{
    struct parents parents = {.wanted = t->resource};
    for (size_t i = 0; i < discovery->n_groups; i++) {
        for (size_t k = 0; k < discovery->groups[i].n_versions; k++)
            add_parents(r, discovery->groups[i].name, &discovery->groups[i].versions[k], &parents);
    }
    *found = parents.found;
    if (parents.count == 1)
        return true;
    return refuse(r, t->place,
                  parents.count == 0
                      ? mem_printf("no resource%s%s of this version has the subresource %s with objects of "
                                   "kind %s in %s%s%s",
                                   *t->resource == '\0' ? "" : " named ", t->resource, r->subresource,
                                   r->kind, r->group, *r->group == '\0' ? "" : "/", r->version)
                      : mem_printf("%zu resources have the subresource %s of kind %s: the key resource says "
                                   "which is meant, such as deployments",
                                   parents.count, r->subresource, r->kind));
}

static bool find_resource(struct testrequest *r, const struct testcase *t, const struct discovery *discovery,
                          const struct testobject *object)
{
    const struct discovery_version *version = discovery_find_version(discovery, r->group, r->version);
    const struct discovery_resource *found = NULL;
    r->resource_group = r->group;
    r->resource_version = r->version;
    if (*r->subresource != '\0' && !find_parent(r, t, discovery, &found))
        return false;
    if (*r->subresource == '\0')
        found = version == NULL ? NULL : discovery_find_kind(version, r->kind);
    if (found == NULL && discovery_find_group(discovery, r->group) != NULL)
        return refuse(r, object->place,
                      mem_printf("no server of this version has a kind %s in %s%s%s", r->kind, r->group,
                                 *r->group == '\0' ? "" : "/", r->version));
    r->is_served = found != NULL;
    r->is_namespaced = found != NULL ? found->is_namespaced : *metadata_of(object, "namespace") != '\0';
    r->has_status = found != NULL && discovery_has_status(found);
    r->resource = found != NULL ? mem_strdup(found->name) : guess_resource(r->kind);
    return true;
}

/* ---- CONNECT ---- */

/* What is connected to has an object of its own, made of the options. */
static bool make_connect(struct testrequest *r, const struct testcase *t)
{
    static const struct {
        const char *subresource, *kind;
    } connections[] = {
        {"exec", "PodExecOptions"}, {"attach", "PodAttachOptions"}, {"portforward", "PodPortForwardOptions"}};
    if (*t->request_name == '\0')
        return refuse(r, t->place, mem_strdup("a CONNECT needs the name of what is connected to"));
    for (size_t i = 0; i < sizeof connections / sizeof *connections; i++) {
        if (strcmp(t->subresource, connections[i].subresource) != 0)
            continue;
        r->kind = connections[i].kind;
        r->version = "v1";
        r->group = mem_strdup("");
        r->resource = mem_strdup("pods");
        r->resource_group = r->group;
        r->resource_version = r->version;
        r->is_served = r->is_namespaced = true;
        r->connect = jsonval_copy(t->options);
        put(r->connect, "kind", r->kind);
        put(r->connect, "apiVersion", r->version);
        return true;
    }
    return refuse(
        r, t->place,
        mem_strdup("of CONNECT the subresources exec, attach and portforward of pods are evaluated"));
}

/* ---- the request ---- */

static bool is_list_of_strings(struct json_object *list)
{
    bool is = json_object_is_type(list, json_type_array);
    for (size_t i = 0; is && i < jsonval_length(list); i++)
        is = json_object_is_type(jsonval_at(list, i), json_type_string);
    return is;
}

/* "extra" of a user. */
static bool is_map_of_lists(struct json_object *map)
{
    if (!json_object_is_type(map, json_type_object))
        return false;
    jsonval_each(map, key, list)
    {
        (void)key;
        if (!is_list_of_strings(list))
            return false;
    }
    return true;
}

/* Whether a server can have such a user (authentication.k8s.io/v1 UserInfo). */
static bool has_user(struct testrequest *r, const struct testcase *t)
{
    struct json_object *name = jsonval_get(t->user, "username"), *uid = jsonval_get(t->user, "uid"),
                       *groups = jsonval_get(t->user, "groups"), *extra = jsonval_get(t->user, "extra");
    const char *wrong =
        name != NULL && !json_object_is_type(name, json_type_string) ? "userInfo.username must be a string"
        : uid != NULL && !json_object_is_type(uid, json_type_string) ? "userInfo.uid must be a string"
        : groups != NULL && !is_list_of_strings(groups) ? "userInfo.groups must be a list of strings"
        : extra != NULL && !is_map_of_lists(extra) ? "userInfo.extra must be a mapping of lists of strings"
                                                   : NULL;
    return wrong == NULL || refuse(r, t->place, mem_strdup(wrong));
}

/* The comma before it, and the key. */
static void put_key(struct buf *b, const char *key)
{
    buf_puts(b, ",\"");
    buf_puts(b, key);
    buf_puts(b, "\":");
}

static void put_text(struct buf *b, const char *key, const char *text)
{
    put_key(b, key);
    buf_put_json(b, text, strlen(text));
}

static void put_text_if_any(struct buf *b, const char *key, const char *text)
{
    if (*text != '\0')
        put_text(b, key, text);
}

static void put_json(struct buf *b, const char *key, const char *json)
{
    put_key(b, key);
    buf_puts(b, json);
}

/* A kind or a resource, as JSON. */
static char *name_in_group(const char *group, const char *version, const char *key, const char *value)
{
    size_t len;
    struct buf b;
    buf_init(&b, SIZE_MAX / 2);
    buf_puts(&b, "{\"group\":");
    buf_put_json(&b, group, strlen(group));
    put_text(&b, "version", version);
    put_text(&b, key, value);
    buf_puts(&b, "}");
    return buf_take(&b, &len);
}

static void put_user(struct buf *b, const struct testcase *t)
{
    static const char *const keys[] = {"username", "uid", "groups", "extra"};
    const char *separator = "{\"";
    put_key(b, "userInfo");
    if (t->user == NULL) {
        buf_puts(b, "{\"username\":\"" USER_NAME "\",\"groups\":[\"" USER_GROUP "\"]}");
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct json_object *value = jsonval_get(t->user, keys[i]);
        if (value == NULL)
            continue;
        buf_printf(b, "%s%s\":", separator, keys[i]);
        jsontree_write(b, value);
        separator = ",\"";
    }
    buf_puts(b, *separator == '{' ? "{}" : "}");
}

static void put_options(struct buf *b, const struct testcase *t)
{
    static const char *const kinds[][2] = {
        {"CREATE", "CreateOptions"}, {"UPDATE", "UpdateOptions"}, {"DELETE", "DeleteOptions"}};
    put_key(b, "options");
    if (strcmp(t->operation, "CONNECT") == 0 || t->options != NULL) {
        jsontree_write(b, strcmp(t->operation, "CONNECT") == 0 ? NULL : t->options);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i][0], t->operation) == 0)
            buf_printf(b, "{\"kind\":\"%s\",\"apiVersion\":\"meta.k8s.io/v1\"%s}", kinds[i][1],
                       t->is_dry_run ? ",\"dryRun\":[\"All\"]" : "");
    }
}

/* As the server's AdmissionRequest is a map to an expression (plugin/cel/condition.go). */
static void make_request(struct testrequest *r, const struct testcase *t)
{
    cleanup_mem char *kind = name_in_group(r->group, r->version, "kind", r->kind),
                     *resource =
                         name_in_group(r->resource_group, r->resource_version, "resource", r->resource);
    struct buf b;
    size_t len;
    buf_init(&b, SIZE_MAX / 2);
    buf_puts(&b, "{\"uid\":\"\"");
    put_json(&b, "kind", kind);
    put_json(&b, "resource", resource);
    put_text_if_any(&b, "subResource", r->subresource);
    put_json(&b, "requestKind", kind);
    put_json(&b, "requestResource", resource);
    put_text_if_any(&b, "requestSubResource", r->subresource);
    put_text_if_any(&b, "name", r->name);
    put_text_if_any(&b, "namespace", r->namespace);
    put_text(&b, "operation", r->operation);
    put_user(&b, t);
    buf_puts(&b, ",\"object\":null,\"oldObject\":null,\"dryRun\":");
    buf_puts(&b, t->is_dry_run ? "true" : "false");
    put_options(&b, t);
    buf_puts(&b, "}");
    r->request = buf_take(&b, &len);
}

/* ---- the namespace ---- */

static void copy_metadata(struct json_object *to, struct json_object *from)
{
    static const char *const keys[] = {"generateName",
                                       "uid",
                                       "resourceVersion",
                                       "generation",
                                       "creationTimestamp",
                                       "deletionTimestamp",
                                       "deletionGracePeriodSeconds",
                                       "labels",
                                       "annotations",
                                       "finalizers"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct json_object *value = jsonval_get(from, keys[i]);
        if (value != NULL && !(json_object_is_type(value, json_type_object) && jsonval_count(value) == 0))
            jsonval_set(to, keys[i], json_object_get(value));
    }
}

static struct json_object *new_namespace(const char *name, struct json_object *from)
{
    struct json_object *metadata = json_object_new_object(), *o = json_object_new_object(),
                       *spec = jsonval_get(from, "spec"), *status = jsonval_get(from, "status");
    put(metadata, "name", name);
    copy_metadata(metadata, jsonval_get(from, "metadata"));
    jsonval_set(o, "metadata", metadata);
    requestobject_label_namespace(o);
    jsonval_set(o, "spec", spec != NULL ? json_object_get(spec) : json_object_new_object());
    jsonval_set(o, "status", status != NULL ? json_object_get(status) : json_object_new_object());
    return o;
}

static char *write_text(struct json_object *json)
{
    cleanup_buf struct buf b;
    buf_init(&b, SIZE_MAX / 2);
    jsontree_write(&b, json);
    return mem_strndup(b.data, b.len); /* no byte too many */
}

/* Namespaces themselves and what has none come without (policy/generic/policy_dispatcher.go). */
static void make_namespace(struct testrequest *r, const struct testcase *t,
                           struct testrequest_namespace *kept)
{
    const bool is_namespace = *r->group == '\0' && strcmp(r->kind, "Namespace") == 0;
    if (*r->namespace == '\0' || is_namespace)
        return;
    if (kept->name == NULL || strcmp(kept->name, r->namespace) != 0 || kept->from != t->namespace_object) {
        testrequest_namespace_deinit(kept);
        struct json_object *o = new_namespace(r->namespace, t->namespace_object);
        *kept = (struct testrequest_namespace){.name = mem_strdup(r->namespace),
                                               .from = json_object_get(t->namespace_object),
                                               .object = o,
                                               .text = write_text(o)};
    }
    r->namespace_object = kept->object;
    r->texts.namespace_object = str_of(kept->text);
}

void testrequest_namespace_deinit(struct testrequest_namespace *n)
{
    mem_free(n->name);
    json_object_put(n->from);
    json_object_put(n->object);
    mem_free(n->text);
    *n = (struct testrequest_namespace){0};
}

/* ---- objects ---- */

/* Kept with the object, since many tests may have the same params. */
static struct str text_of_params(struct testobject *o)
{
    if (o == NULL)
        return (struct str){"", 0};
    if (o->text == NULL)
        o->text = write_text(o->root->json);
    return str_of(o->text);
}

static void put_missing(struct json_object *metadata, const char *key, const char *text)
{
    if (json_object_is_type(metadata, json_type_object) && *text != '\0' &&
        *jsonval_string_or_empty(metadata, key) == '\0')
        jsonval_set(metadata, key, string(text));
}

/* What an object has for life: where it is missing, that of the same object after the request, or text. */
static void put_own(struct json_object *metadata, const char *key, struct json_object *same, const char *text)
{
    const char *later = jsonval_metadata(same, key);
    put_missing(metadata, key, *later == '\0' ? text : later);
}

/* The object as the server shows it; to mutating policies and webhooks, which are asked earlier, only with
 * its namespace. is_old: it is the oldObject. now: the time of a creation. */
static struct json_object *make_object(const struct testrequest *r, const struct testcase *t,
                                       const struct testobject *o, bool is_old, const char *now)
{
    struct json_object *made = requestobject_copy(o->root->json), *metadata = jsonval_get(made, "metadata");
    put_missing(metadata, "namespace", r->is_namespaced ? r->namespace : "");
    requestobject_decode(made);
    if (r->is_mutating)
        return made;
    put_missing(metadata, "name", r->name);
    if (!is_old && t->old_object != NULL)
        requestobject_update(made, t->old_object->root->json, r->subresource, r->has_status);
    else if (!is_old && *r->subresource == '\0')
        requestobject_create(made, r->has_status);
    if (is_old || t->old_object != NULL || *r->subresource == '\0') {
        struct json_object *same = is_old && t->object != NULL ? t->object->root->json : NULL;
        put_own(metadata, "uid", same, UID);
        put_own(metadata, "creationTimestamp", same, now);
    }
    return made;
}

/* "": there is none. */
static struct str text_of(struct json_object *json, char **out)
{
    if (json == NULL)
        return (struct str){"", 0};
    *out = write_text(json);
    return str_of(*out);
}

static void make_texts(struct testrequest *r, const struct testcase *t)
{
    char now[RFC3339_BYTES];
    rfc3339_now(now, RFC3339_SECONDS);
    if (t->object != NULL)
        r->object = make_object(r, t, t->object, false, now);
    if (t->old_object != NULL)
        r->old_object = make_object(r, t, t->old_object, true, now);
    if (t->mutated != NULL)
        r->mutated = make_object(r, t, t->mutated, false, now);
    r->texts.object = text_of(r->connect != NULL ? r->connect : r->object, &r->object_text);
    r->texts.old_object = text_of(r->old_object, &r->old_text);
    r->texts.expected = text_of(r->mutated, &r->mutated_text);
    r->texts.params = text_of_params(t->params);
    r->texts.request = str_of(r->request);
}

static void make_authorizer(struct testrequest *r, const struct testcase *t)
{
    if (!t->has_authorizer)
        return;
    r->answers = (struct authorizations_table){
        .rows = t->answers,
        .count = t->answer_count,
        .user = str_of(t->user == NULL ? USER_NAME : jsonval_string_or_empty(t->user, "username"))};
    r->authorizer = authorizations_of_table(&r->answers);
    r->texts.authorizer = &r->authorizer;
}

/* ---- all of it ---- */

/* Of the object, else what the test says, else the usual one. */
static bool set_names(struct testrequest *r, const struct testcase *t, const struct testobject *object)
{
    const char *own = metadata_of(object, "namespace");
    r->name = *t->request_name != '\0' ? t->request_name : metadata_of(object, "name");
    if (*r->name == '\0' && object != NULL && !r->is_mutating)
        r->made_name = requestobject_name(object->root->json);
    r->name = r->made_name != NULL ? r->made_name : r->name;
    r->namespace = *own != '\0' ? own : t->request_namespace;
    if (*own != '\0' && *t->request_namespace != '\0' && strcmp(own, t->request_namespace) != 0)
        return refuse(r, object->place,
                      mem_printf("the object is in namespace %s, and the request in %s: no server takes that",
                                 own, t->request_namespace));
    if (!r->is_namespaced)
        r->namespace = *r->group == '\0' && strcmp(r->kind, "Namespace") == 0 ? r->name : "";
    else if (*r->namespace == '\0')
        r->namespace = "default";
    return true;
}

/* An object of a request is there, or is not, by the operation. */
static bool has_objects(struct testrequest *r, const struct testcase *t)
{
    const bool has_new = strcmp(t->operation, "CREATE") == 0 || strcmp(t->operation, "UPDATE") == 0,
               has_old = strcmp(t->operation, "DELETE") == 0 || strcmp(t->operation, "UPDATE") == 0;
    if (!has_new && !has_old && strcmp(t->operation, "CONNECT") != 0)
        return refuse(
            r, t->place,
            mem_printf("the operation %s is none of CREATE, UPDATE, DELETE and CONNECT", t->operation));
    if (has_new != (t->object != NULL) || has_old != (t->old_object != NULL))
        return refuse(r, t->place,
                      mem_printf("a request %s has %s object and %s oldObject", t->operation,
                                 has_new ? "an" : "no", has_old ? "an" : "no"));
    return true;
}

static bool make(struct testrequest *r, const struct testcase *t, const struct discovery *discovery,
                 struct testrequest_namespace *namespace)
{
    const struct testobject *object = t->object != NULL ? t->object : t->old_object;
    r->operation = t->operation;
    r->subresource = t->subresource;
    if (!has_objects(r, t))
        return false;
    if (object == NULL && !make_connect(r, t))
        return false;
    if (object != NULL) {
        r->kind = jsonval_string_or_empty(object->root->json, "kind");
        const struct groupversion gv =
            groupversion_split(jsonval_string_or_empty(object->root->json, "apiVersion"));
        r->group = gv.group;
        r->version = gv.version;
        if (!find_resource(r, t, discovery, object))
            return false;
    }
    if (!set_names(r, t, object) || !has_user(r, t))
        return false;
    make_request(r, t);
    make_namespace(r, t, namespace);
    make_texts(r, t);
    make_authorizer(r, t);
    return true;
}

bool testrequest_make(const struct testcase *test, bool is_mutating, const struct discovery *discovery,
                      struct testrequest_namespace *namespace, struct testrequest *out)
{
    *out = (struct testrequest){.version = "", .kind = "", .is_mutating = is_mutating};
    return make(out, test, discovery, namespace);
}

void testrequest_deinit(struct testrequest *r)
{
    mem_free(r->group);
    mem_free(r->resource);
    mem_free(r->problem);
    mem_free(r->request);
    mem_free(r->made_name);
    mem_free(r->object_text);
    mem_free(r->old_text);
    mem_free(r->mutated_text);
    json_object_put(r->object);
    json_object_put(r->old_object);
    json_object_put(r->mutated);
    json_object_put(r->connect);
}
