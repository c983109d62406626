#include "cmd/kubectl-vapcheck/audit/trial.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaults.h"
#include "controller/apiserver/defaults/requestobject.h"

/* ---- objects ---- */

/* The object as a client sends it. */
static struct json_object *make_sent(struct json_object *object)
{
    static const char *const dropped[] = {"resourceVersion",   "uid",
                                          "creationTimestamp", "selfLink",
                                          "deletionTimestamp", "deletionGracePeriodSeconds"};
    struct json_object *sent = requestobject_copy(object);
    struct json_object *metadata = jsonval_get(sent, "metadata");
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped && metadata != NULL; i++)
        jsonval_drop(metadata, dropped[i]);
    return sent;
}

/* Sets the name that the server makes of a generateName. Returns the object. */
static struct json_object *name_object(const struct trial *t, struct json_object *object)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    if (t->made_name != NULL && json_object_is_type(metadata, json_type_object))
        jsonval_set(metadata, "name", json_object_new_string(t->made_name));
    return object;
}

/* An object of a cluster as the server creates it. uid and creationTimestamp stand for those that it would
 * set. */
static struct json_object *make_created(const struct trial *t, struct json_object *sent)
{
    static const char *const set[] = {"uid", "creationTimestamp"};
    struct json_object *created = requestobject_copy(sent);
    struct json_object *metadata = jsonval_get(created, "metadata");
    struct json_object *stored = jsonval_get(t->object->json, "metadata");
    for (size_t i = 0; i < sizeof set / sizeof *set && metadata != NULL; i++) {
        if (jsonval_get(stored, set[i]) != NULL)
            jsonval_set(metadata, set[i], json_object_get(jsonval_get(stored, set[i])));
    }
    if (jsonval_get(metadata, "generation") != NULL)
        jsonval_set(metadata, "generation", json_object_new_int(1));
    const bool had_status = jsonval_get(created, "status") != NULL;
    requestobject_create(created, t->object->route->has_status);
    if (had_status && jsonval_get(created, "status") == NULL)
        jsonval_set(created, "status", json_object_new_object());
    return created;
}

static bool is_of_file(const struct trial *t)
{
    return t->object->file[0] != '\0';
}

/* Takes what was sent. */
static struct json_object *admit(const struct trial *t, struct json_object *take_sent)
{
    if (!is_of_file(t))
        return take_sent;
    struct json_object *admitted = defaults_admit(&t->kind, take_sent, true);
    json_object_put(take_sent);
    return admitted;
}

/* The object as the server creates it. */
static struct json_object *create(const struct trial *t, struct json_object *sent)
{
    struct json_object *named = name_object(t, requestobject_copy(sent));
    struct json_object *created = is_of_file(t) ? defaults_create(&t->kind, named) : make_created(t, named);
    json_object_put(named);
    return created;
}

static struct json_object *make_updated(const struct trial *t, struct json_object *sent)
{
    return defaults_update(&t->kind, sent, t->old_object, "");
}

/* The object before a request that changes nothing. */
static struct json_object *make_stored(const struct trial *t)
{
    struct json_object *json = t->object->json;
    if (!is_of_file(t) && t->made_name == NULL)
        return json_object_get(json);
    struct json_object *named = name_object(t, requestobject_copy(json));
    if (!is_of_file(t))
        return named;
    struct json_object *stored = defaults_stored(&t->kind, named);
    json_object_put(named);
    return stored;
}

/* ---- the request ---- */

static struct json_object *convert(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err)
{
    const struct trial *t = user;
    struct err why;
    if (t->mutated.object == NULL)
        return surroundings_object(t->setting->surroundings, as->group, as->version, as->resource,
                                   jsonval_metadata(object, "namespace"), jsonval_metadata(object, "name"),
                                   err);
    (void)err_set(&why, ERR_INVALID,
                  "the policy sees what mutating policies make in another version than they do: %s",
                  as->version);
    return surroundings_fail(t->setting->surroundings, &why, err);
}

static struct json_object *read_made(void *user, struct json_object *object,
                                     const struct requestmatch_endpoint *as)
{
    const struct trial *t = user;
    struct defaults_kind kind = t->kind;
    kind.type = schemas_type(t->setting->surroundings->schemas, as->kind_group, as->kind_version, as->kind);
    return defaults_decode(&kind, object, NULL);
}

static struct policy_run_type find_type(void *user, const char *group, const char *version, const char *kind)
{
    const struct trial *t = user;
    return schemas_type(t->setting->surroundings->schemas, group, version, kind);
}

/* Takes the object. */
static void set_object(struct trial *t, struct json_object *take_object)
{
    json_object_put(t->given);
    t->given = take_object;
    t->request.match.object = take_object;
}

void trial_init(struct trial *t, const struct trial_setting *setting, const struct auditobject *object,
                unsigned operation)
{
    const struct auditobject_route *route = object->route;
    const bool is_create = operation == AUDITOBJECT_CREATE;
    struct json_object *json = object->json;
    struct err err = {0};
    const bool is_namespace =
        route->endpoint.group[0] == '\0' && strcmp(route->endpoint.resource, "namespaces") == 0;
    *t = (struct trial){.setting = setting, .object = object, .operation = operation};
    t->params = surroundings_params(setting->surroundings);
    t->made_name = requestobject_name(json);
    t->kind = auditobject_kind(route, setting->surroundings->schemas, setting->now);
    t->kind.metadata = jsonval_get(json, "metadata");
    if (!is_create)
        t->old_object = make_stored(t);
    t->request = (struct dispatch_request){
        .match = {.operation = is_create ? "CREATE" : "UPDATE",
                  .endpoint = route->endpoint,
                  .subresource = "",
                  .equivalents = route->equivalents,
                  .n_equivalents = route->n_equivalents,
                  .name = jsonval_metadata(is_create ? json : t->old_object, "name"),
                  .namespace = is_namespace ? jsonval_metadata(json, "name") : auditobject_namespace(object),
                  .old_object = t->old_object},
        .stored_as = &route->stored_as,
        .user_info = setting->user_info,
        .max_steps = RULEBOOK_REQUEST_STEPS,
        .params = &t->params,
        .convert = convert,
        .read = read_made,
        .find_type = find_type,
        .reports_changes = true,
        .user = t,
    };
    set_object(t, is_create ? admit(t, make_sent(json)) : json_object_get(t->old_object));
    if (is_namespace || t->request.match.namespace[0] == '\0')
        return;
    t->request.match.namespace_object =
        surroundings_namespace(setting->surroundings, t->request.match.namespace, &err);
    t->has_no_namespace = t->request.match.namespace_object == NULL;
}

void trial_deinit(struct trial *t)
{
    json_object_put(t->given);
    json_object_put(t->old_object);
    mem_free(t->made_name);
    mutation_answer_deinit(&t->mutated);
    mem_free(t->why);
}

/* ---- mutating policies ---- */

/* Takes the reason. */
static void set_unknown(struct trial *t, size_t policy, char *take_why)
{
    t->is_over = t->is_unknown = true;
    t->unknown_policy = policy;
    t->why = take_why;
}

/* The policies that are asked, an array by policy; NULL: none is, or it is not known what they do. */
static const struct dispatch **find_policies(struct trial *t)
{
    const struct rulebook *book = t->setting->book;
    const struct dispatch **policies = mem_array(book->count, sizeof(struct dispatch *));
    const struct requestmatch_endpoint *as;
    size_t count = 0;
    for (size_t i = 0; i < book->count && !t->is_over; i++) {
        const struct rulebook_policy *p = &book->items[i];
        if (!p->is_mutating || p->dispatch == NULL || rulebook_is_idle(p) ||
            !dispatch_may(p->dispatch, &t->request.match, &as))
            continue;
        policies[i] = p->dispatch;
        count++;
        if (p->is_exhausted)
            set_unknown(t, i, mem_strdup("it takes more work than an audit does"));
    }
    if (count > 0 && !t->is_over)
        return policies;
    mem_free(policies);
    return NULL;
}

static void pay(struct trial *t)
{
    const struct rulebook *book = t->setting->book;
    for (size_t i = 0; i < book->count; i++) {
        struct rulebook_policy *p = &book->items[i];
        const uint64_t steps = t->mutated.policies[i].steps;
        if (steps >= p->steps_left) {
            p->is_exhausted = true;
            rulebook_set_problem(p, mem_strdup("not for all objects: it takes more work than an audit does"));
        }
        p->steps_left -= p->is_exhausted ? p->steps_left : steps;
    }
}

static size_t first_policy(const struct dispatch *const *policies)
{
    size_t i = 0;
    while (policies[i] == NULL)
        i++;
    return i;
}

static void ask(struct trial *t)
{
    const struct surroundings *s = t->setting->surroundings;
    const size_t n_failures = s->n_failures;
    const struct dispatch **policies = find_policies(t);
    if (policies == NULL)
        return;
    struct mutation_answer answer;
    mutation_ask(policies, t->setting->book->count, &t->request, &answer);
    t->mutated = answer;
    pay(t);
    t->is_unknown = answer.is_unknown;
    t->is_over = answer.is_unknown || answer.is_refused;
    if (t->has_no_namespace || s->n_failures != n_failures)
        set_unknown(t, first_policy(policies), mem_strdup(s->failure.msg));
    mem_free(policies);
}

void trial_mutate(struct trial *t)
{
    struct json_object *sent = t->given;
    ask(t);
    if (t->mutated.object != NULL) {
        sent = t->mutated.object;
        t->request.stored_as = &t->mutated.as;
        json_object_put(t->old_object);
        t->old_object = json_object_get(t->mutated.old_object);
        t->request.match.old_object = t->old_object;
    }
    if (t->operation == AUDITOBJECT_CREATE) {
        set_object(t, create(t, sent));
        t->request.match.name = jsonval_metadata(t->given, "name");
    } else if (t->mutated.object != NULL) {
        set_object(t, make_updated(t, sent));
    }
}
