#include "cmd/kubectl-vapcheck/test/runner/testrequest.h"

#include <ctype.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/base/rfc3339.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaults.h"
#include "controller/apiserver/defaults/requestobject.h"

/* The user of a test that names none: each request has a user. */
#define USER_NAME  "vapcheck-test"
#define USER_GROUP "system:authenticated"

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

/* The resource of a kind as Kubernetes guesses it (meta.UnsafeGuessKindToResource). */
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
                                        *sub = discovery_find_resource(version, parent->name,
                                                                       r->test->subresource);
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
                                   *t->resource == '\0' ? "" : " named ", t->resource, r->test->subresource,
                                   r->kind, r->group, *r->group == '\0' ? "" : "/", r->version)
                      : mem_printf("%zu resources have the subresource %s of kind %s: the key resource says "
                                   "which is meant, such as deployments",
                                   parents.count, r->test->subresource, r->kind));
}

static bool find_resource(struct testrequest *r, const struct testcase *t, const struct discovery *discovery,
                          const struct testobject *object)
{
    const struct discovery_version *version = discovery_find_version(discovery, r->group, r->version);
    const struct discovery_resource *found = NULL;
    r->resource_group = r->group;
    r->resource_version = r->version;
    if (*r->test->subresource != '\0' && !find_parent(r, t, discovery, &found))
        return false;
    if (*r->test->subresource == '\0')
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

/* Makes the request of a CONNECT, whose object is made of the options. */
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
        r->object = jsonval_copy(t->options);
        put(r->object, "kind", r->kind);
        put(r->object, "apiVersion", r->version);
        return true;
    }
    return refuse(
        r, t->place,
        mem_strdup("of CONNECT the subresources exec, attach and portforward of pods are evaluated"));
}

/* ---- the user ---- */

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

/* Returns true if a server can have such a user (authentication.k8s.io/v1 UserInfo). */
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

static struct json_object *usual_user(void)
{
    struct json_object *user = json_object_new_object(), *groups = json_object_new_array();
    jsonval_append(groups, string(USER_GROUP));
    jsonval_set(user, "username", string(USER_NAME));
    jsonval_set(user, "groups", groups);
    return user;
}

static struct json_object *find_user(const struct testrequest *r)
{
    if (r->test->user != NULL)
        return r->test->user;
    if (r->kept->user == NULL)
        r->kept->user = usual_user();
    return r->kept->user;
}

/* ---- the namespace ---- */

static void forget_namespace(struct testrequest_kept *kept)
{
    mem_free(kept->name);
    json_object_put(kept->from);
    json_object_put(kept->object);
    mem_free(kept->text);
}

void testrequest_kept_deinit(struct testrequest_kept *kept)
{
    forget_namespace(kept);
    json_object_put(kept->user);
}

static bool is_namespace(const struct testrequest *r)
{
    return *r->group == '\0' && strcmp(r->kind, "Namespace") == 0;
}

static char *write_text(struct json_object *json)
{
    cleanup_buf struct buf b;
    buf_init(&b, SIZE_MAX / 2);
    jsontree_write(&b, json);
    return mem_strndup(b.data, b.len); /* no byte too many */
}

/* Namespaces themselves and what has none come without (policy/generic/policy_dispatcher.go). */
static struct json_object *find_namespace(const struct testrequest *r)
{
    struct json_object *from = r->test->namespace_object;
    struct testrequest_kept *kept = r->kept;
    if (*r->namespace == '\0' || is_namespace(r))
        return NULL;
    if (kept->name == NULL || strcmp(kept->name, r->namespace) != 0 || kept->from != from) {
        forget_namespace(kept);
        kept->name = mem_strdup(r->namespace);
        kept->from = json_object_get(from);
        kept->object = requestobject_namespace(r->namespace, from);
        kept->text = write_text(kept->object);
    }
    return kept->object;
}

/* ---- objects ---- */

static void put_missing(struct json_object *metadata, const char *key, const char *text)
{
    if (json_object_is_type(metadata, json_type_object) && *text != '\0' &&
        *jsonval_string_or_empty(metadata, key) == '\0')
        jsonval_set(metadata, key, string(text));
}

static struct defaults_kind kind_of(const struct testrequest *r, struct json_object *metadata)
{
    struct defaults_kind kind = {.minor = schemas_minor(r->schemas),
                                 .is_namespaced = r->is_namespaced,
                                 .has_status = r->has_status,
                                 .namespace = r->namespace,
                                 .now = r->kept->now,
                                 .metadata = metadata};
    if (!r->kept->is_loose)
        kind.type = schemas_type(r->schemas, r->group, r->version, r->kind);
    return kind;
}

/* The object as the server reads it. */
static struct json_object *read_object(const struct testrequest *r, const struct testobject *o)
{
    const struct defaults_kind kind = kind_of(r, NULL);
    struct json_object *sent = requestobject_copy(o->root->json);
    requestobject_decode(sent);
    struct json_object *made = defaults_decode(&kind, sent, NULL);
    json_object_put(sent);
    return made;
}

/* Puts the fields that an object keeps for life, if the test leaves them out: those of the same object after
 * the request, or those that the server makes. */
static void put_own(const struct testrequest *r, struct json_object *object, struct json_object *same)
{
    static const char *const keys[] = {"uid", "creationTimestamp"};
    const char *const made[] = {DEFAULTS_UID, r->kept->now};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *later = jsonval_metadata(same, keys[i]);
        put_missing(jsonval_get(object, "metadata"), keys[i], *later == '\0' ? made[i] : later);
    }
}

/* Takes what was read, and returns what validating policies see of a new object. */
static struct json_object *create_object(const struct testrequest *r, struct json_object *take_read,
                                         struct json_object *sent)
{
    const struct defaults_kind kind = kind_of(r, jsonval_get(sent, "metadata"));
    if (*r->test->subresource != '\0') {
        put_missing(jsonval_get(take_read, "metadata"), "name", r->is_mutating ? "" : r->name);
        return take_read;
    }
    struct json_object *admitted = defaults_admit(&kind, take_read, true);
    json_object_put(take_read);
    if (r->is_mutating)
        return admitted;
    put_missing(jsonval_get(admitted, "metadata"), "name", r->name);
    struct json_object *created = defaults_create(&kind, admitted);
    json_object_put(admitted);
    return created;
}

/* The same of one that is updated. */
static struct json_object *update_object(const struct testrequest *r, struct json_object *take_read)
{
    const struct defaults_kind kind = kind_of(r, NULL);
    struct json_object *admitted =
        *r->test->subresource != '\0' ? json_object_get(take_read) : defaults_admit(&kind, take_read, false);
    json_object_put(take_read);
    if (r->is_mutating)
        return admitted;
    put_missing(jsonval_get(admitted, "metadata"), "name", r->name);
    struct json_object *updated = defaults_update(&kind, admitted, r->old_object, r->test->subresource);
    json_object_put(admitted);
    put_own(r, updated, NULL);
    return updated;
}

/* The object as the server shows it; to mutating policies and webhooks, which are asked earlier, only with
 * its namespace. */
static struct json_object *make_object(const struct testrequest *r, const struct testobject *o)
{
    struct json_object *read = read_object(r, o);
    return r->old_object == NULL ? create_object(r, read, o->root->json) : update_object(r, read);
}

static struct json_object *make_old_object(const struct testrequest *r, const struct testcase *t)
{
    struct json_object *read = read_object(r, t->old_object);
    if (!r->is_mutating) {
        put_missing(jsonval_get(read, "metadata"), "name", r->name);
        put_own(r, read, t->object == NULL ? NULL : t->object->root->json);
    }
    return read;
}

static void make_objects(struct testrequest *r)
{
    const struct testcase *t = r->test;
    if (*r->kept->now == '\0')
        rfc3339_now(r->kept->now, RFC3339_SECONDS);
    if (t->old_object != NULL)
        r->old_object = make_old_object(r, t);
    if (t->object != NULL)
        r->object = make_object(r, t->object);
    if (t->mutated == NULL)
        return;
    struct json_object *expected = make_object(r, t->mutated);
    r->expected = write_text(expected);
    json_object_put(expected);
}

char *testrequest_name(const struct testrequest *r)
{
    return mem_printf("%s of %s%s%s in %s%s%s", r->test->operation, r->resource,
                      *r->test->subresource == '\0' ? "" : "/", r->test->subresource, r->resource_group,
                      *r->resource_group == '\0' ? "" : "/", r->resource_version);
}

char *testrequest_object(const struct testrequest *r)
{
    return write_text(r->object);
}

/* ---- params ---- */

static struct json_object *params_of(const struct testrequest *r)
{
    return r->test->params == NULL ? NULL : r->test->params->root->json;
}

/* The scope of a kind; the scope of one that the server is not known to have follows from the test's
 * params. */
static enum paramfind_scope find_scope(void *user, const char *api_version, const char *kind)
{
    const struct testrequest *r = user;
    cleanup_groupversion struct groupversion gv = groupversion_split(api_version);
    const struct discovery_version *version =
        discovery_find_version(schemas_discovery(r->schemas), gv.group, gv.version);
    const struct discovery_resource *found = version == NULL ? NULL : discovery_find_kind(version, kind);
    const bool is_namespaced =
        found != NULL ? found->is_namespaced : *jsonval_metadata(params_of(r), "namespace") != '\0';
    return is_namespaced ? PARAMFIND_NAMESPACED : PARAMFIND_CLUSTER;
}

/* An object without a name or a namespace is one of any. */
static bool is_any_or(const char *value, const char *wanted)
{
    return wanted == NULL || *value == '\0' || strcmp(value, wanted) == 0;
}

static int find_params(void *user, const struct paramfind_query *query, struct paramfind *out,
                       struct err *err)
{
    struct json_object *params = params_of(user);
    (void)err;
    if (params != NULL && is_any_or(jsonval_metadata(params, "name"), query->name) &&
        is_any_or(jsonval_metadata(params, "namespace"), query->namespace))
        paramfind_add(out, params);
    return 0;
}

/* ---- answers to policies ---- */

static struct json_object *convert(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err)
{
    struct testrequest *r = user;
    (void)object;
    r->lost_version = as->version;
    (void)err_set(err, ERR_INVALID, "vapcheck does not convert objects");
    return NULL;
}

static struct policy_run_type find_type(void *user, const char *group, const char *version, const char *kind)
{
    const struct testrequest *r = user;
    return schemas_type(r->schemas, group, version, kind);
}

/* Finds the text of an object. The text of params is kept with the object, since many tests may have the
 * same. */
static struct str find_text(void *user, struct json_object *object)
{
    const struct testrequest *r = user;
    struct testobject *params = r->test->params;
    if (object == r->asked.match.namespace_object)
        return str_of(r->kept->text);
    if (params->text == NULL)
        params->text = write_text(object);
    return str_of(params->text);
}

static struct authorizer *make_authorizer(struct testrequest *r)
{
    const struct testcase *t = r->test;
    if (!t->has_authorizer)
        return NULL;
    r->answers = (struct authorizer_table){
        .rows = t->answers,
        .count = t->answer_count,
        .user = str_of(t->user == NULL ? USER_NAME : jsonval_string_or_empty(t->user, "username"))};
    r->authorizer = authorizer_of_table(&r->answers);
    return &r->authorizer;
}

static struct json_object *read_made(void *user, struct json_object *object,
                                     const struct requestmatch_endpoint *as)
{
    const struct testrequest *r = user;
    struct defaults_kind kind = kind_of(r, NULL);
    if (!r->kept->is_loose)
        kind.type = schemas_type(r->schemas, as->kind_group, as->kind_version, as->kind);
    return defaults_decode(&kind, object, NULL);
}

static void make_request(struct testrequest *r)
{
    const struct testcase *t = r->test;
    r->params = (struct paramfind_source){find_scope, find_params, r};
    r->asked = (struct dispatch_request){
        .match = {.operation = t->operation,
                  .endpoint = {r->resource_group, r->resource_version, r->resource, r->group, r->version,
                               r->kind},
                  .subresource = t->subresource,
                  .name = r->name,
                  .namespace = r->namespace,
                  .object = r->object,
                  .old_object = r->old_object,
                  .namespace_object = is_namespace(r) ? r->old_object : find_namespace(r)},
        .user_info = find_user(r),
        .options = t->options,
        .is_dry_run = t->is_dry_run,
        .params = &r->params,
        .unbound_params = params_of(r),
        .convert = convert,
        .read = read_made,
        .find_type = find_type,
        .find_text = find_text,
        .user = r,
        .evaluation = {.expected = str_of(r->expected == NULL ? "" : r->expected),
                       .authorizer = make_authorizer(r)},
    };
    struct requestmatch_request *m = &r->asked.match;
    r->equivalents = requestmatch_equivalents(schemas_discovery(r->schemas), &m->endpoint, m->subresource,
                                              &m->n_equivalents);
    m->equivalents = r->equivalents;
}

/* ---- all of it ---- */

/* Sets the name and the namespace: those of the object, else those of the test, else the usual ones. */
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
        r->namespace = is_namespace(r) ? r->name : "";
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

static bool make(struct testrequest *r)
{
    const struct testcase *t = r->test;
    const struct testobject *object = t->object != NULL ? t->object : t->old_object;
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
        if (!find_resource(r, t, schemas_discovery(r->schemas), object))
            return false;
    }
    if (!set_names(r, t, object) || !has_user(r, t))
        return false;
    make_objects(r);
    make_request(r);
    return true;
}

bool testrequest_make(const struct testcase *test, bool is_mutating, struct schemas *schemas,
                      struct testrequest_kept *kept, struct testrequest *out)
{
    *out = (struct testrequest){.test = test,
                                .schemas = schemas,
                                .kept = kept,
                                .version = "",
                                .kind = "",
                                .is_mutating = is_mutating};
    return make(out);
}

void testrequest_deinit(struct testrequest *r)
{
    mem_free(r->group);
    mem_free(r->resource);
    mem_free(r->problem);
    mem_free(r->made_name);
    mem_free(r->expected);
    mem_free(r->equivalents);
    json_object_put(r->object);
    json_object_put(r->old_object);
}
