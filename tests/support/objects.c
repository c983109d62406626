#include "tests/support/objects.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

struct objects {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_stopping;
    uint64_t version;
    struct json_object *by_name[OBJECTS_KINDS];   /* maps */
    struct objects_event events[OBJECTS_HISTORY]; /* that of a version is at its remainder */
    uint64_t forgotten;                           /* the last version whose event is not there */
};

#define ADMISSION "admissionregistration.k8s.io", "v1"
const struct objects_kind objects_kinds[OBJECTS_KINDS] = {
    {ADMISSION, "validatingadmissionpolicies", "ValidatingAdmissionPolicy"},
    {"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition"},
    {ADMISSION, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"},
    {ADMISSION, "mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
    {ADMISSION, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"},
    {ADMISSION, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"},
    {"apiregistration.k8s.io", "v1", "apiservices", "APIService"},
};

const struct objects_kind *objects_kind(const char *group, const char *version, const char *resource)
{
    for (const struct objects_kind *k = objects_kinds; k < objects_kinds + OBJECTS_KINDS; k++) {
        if (strcmp(k->group, group) == 0 && strcmp(k->version, version) == 0 &&
            strcmp(k->resource, resource) == 0)
            return k;
    }
    return NULL;
}

struct objects *objects_new(void)
{
    struct objects *o = mem_zalloc(sizeof *o);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&o->mutex, NULL);
    pthread_cond_init(&o->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    for (size_t i = 0; i < OBJECTS_KINDS; i++)
        o->by_name[i] = json_object_new_object();
    o->version = o->forgotten = 1;
    return o;
}

void objects_free(struct objects *o)
{
    for (size_t i = 0; i < OBJECTS_KINDS; i++)
        json_object_put(o->by_name[i]);
    for (size_t i = 0; i < OBJECTS_HISTORY; i++)
        json_object_put(o->events[i].object);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->mutex);
    mem_free(o);
}

void objects_lock(struct objects *o)
{
    pthread_mutex_lock(&o->mutex);
}

void objects_unlock(struct objects *o)
{
    pthread_mutex_unlock(&o->mutex);
}

uint64_t objects_version(const struct objects *o)
{
    return o->version;
}

static const char *name_of(struct json_object *object)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
}

struct json_object *objects_get(const struct objects *o, const struct objects_kind *kind, const char *name)
{
    return jsonval_get(o->by_name[kind - objects_kinds], name);
}

struct json_object *objects_list(const struct objects *o, const struct objects_kind *kind, const char *name)
{
    struct json_object *array = json_object_new_array();
    json_object_object_foreach(o->by_name[kind - objects_kinds], key, object)
    {
        if (name[0] == '\0' || strcmp(key, name) == 0)
            json_object_array_add(array, json_object_get(object));
    }
    return array;
}

/* Changes */

struct json_object *objects_now(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_object_new_string(text);
}

/* The metadata that is stored: what the user may set, and what the server does. */
static struct json_object *set_metadata(struct json_object *object, struct json_object *stored)
{
    static const char *const members[] = {
        "annotations",       "labels",     "name",          "ownerReferences", /* the user's */
        "creationTimestamp", "generation", "managedFields", "uid",
    };
    struct json_object *metadata = json_object_new_object();
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct json_object *copy = NULL;
        struct json_object *value = jsonval_get(jsonval_get(i < 4 ? object : stored, "metadata"), members[i]);
        if (value != NULL && json_object_deep_copy(value, &copy, NULL) == 0)
            json_object_object_add(metadata, members[i], copy);
    }
    json_object_object_add(object, "metadata", metadata);
    return metadata;
}

void objects_put(struct objects *o, const struct objects_kind *kind, const char *event,
                 struct json_object *object)
{
    cleanup_mem char *version = mem_printf("%llu", (unsigned long long)++o->version);
    json_object_object_add(jsonval_get(object, "metadata"), "resourceVersion",
                           json_object_new_string(version));
    json_object_object_add(o->by_name[kind - objects_kinds], name_of(object), json_object_get(object));
    struct objects_event *e = &o->events[o->version % OBJECTS_HISTORY];
    if (e->object != NULL && e->version > o->forgotten)
        o->forgotten = e->version;
    json_object_put(e->object);
    *e = (struct objects_event){o->version, kind, event, json_object_get(object)};
    pthread_cond_broadcast(&o->changed);
}

int objects_create(struct objects *o, const struct objects_kind *kind, struct json_object *object,
                   struct reply *reply)
{
    const char *name = name_of(object);
    if (objects_get(o, kind, name) != NULL)
        return reply_problem(reply, 409, "AlreadyExists", "%s \"%s\" already exists", kind->resource, name);
    struct json_object *metadata = set_metadata(object, NULL);
    cleanup_mem char *uid = mem_printf("00000000-0000-4000-8000-%012llx", (unsigned long long)o->version);
    json_object_object_add(metadata, "uid", json_object_new_string(uid));
    json_object_object_add(metadata, "generation", json_object_new_int(1));
    json_object_object_add(metadata, "creationTimestamp", objects_now());
    objects_put(o, kind, "ADDED", object);
    return 0;
}

int objects_check(struct json_object *stored, struct json_object *wanted, struct reply *reply)
{
    static const char *const members[] = {"uid", "resourceVersion"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const char *value = jsonval_string_or_empty(wanted, members[i]);
        const char *is = jsonval_string_or_empty(jsonval_get(stored, "metadata"), members[i]);
        if (value[0] != '\0' && strcmp(value, is) != 0)
            return reply_problem(reply, 409, "Conflict", "the object's %s is \"%s\", not %s", members[i], is,
                                 value);
    }
    return 0;
}

int objects_replace(struct objects *o, const struct objects_kind *kind, struct json_object *object,
                    struct reply *reply)
{
    struct json_object *stored = objects_get(o, kind, name_of(object));
    if (stored == NULL)
        return reply_problem(reply, 404, "NotFound", "%s \"%s\" not found", kind->resource, name_of(object));
    if (objects_check(stored, jsonval_get(object, "metadata"), reply) != 0)
        return -1;
    struct json_object *metadata = set_metadata(object, stored);
    if (jsonval_get(object, "status") == NULL && jsonval_get(stored, "status") != NULL)
        json_object_object_add(object, "status", json_object_get(jsonval_get(stored, "status")));
    if (!json_object_equal(jsonval_get(object, "spec"), jsonval_get(stored, "spec")))
        json_object_object_add(metadata, "generation",
                               json_object_new_int64(jsonval_int(metadata, "generation", 0) + 1));
    objects_put(o, kind, "MODIFIED", object);
    return 0;
}

struct json_object *objects_delete(struct objects *o, const struct objects_kind *kind, const char *name,
                                   struct reply *reply)
{
    struct json_object *stored = objects_get(o, kind, name), *last = NULL;
    if (stored == NULL)
        reply_problem(reply, 404, "NotFound", "%s \"%s\" not found", kind->resource, name);
    else if (json_object_deep_copy(stored, &last, NULL) == 0) {
        objects_put(o, kind, "DELETED", last);
        json_object_object_del(o->by_name[kind - objects_kinds], name);
    }
    return last;
}

/* Watching */

const struct objects_event *objects_next(const struct objects *o, const struct objects_kind *kind,
                                         const char *name, uint64_t after)
{
    for (uint64_t version = after + 1; version <= o->version; version++) {
        const struct objects_event *e = &o->events[version % OBJECTS_HISTORY];
        if (e->kind == kind && (name[0] == '\0' || strcmp(name_of(e->object), name) == 0))
            return e;
    }
    return NULL;
}

bool objects_remember(const struct objects *o, uint64_t version)
{
    return version >= o->forgotten;
}

void objects_restart(struct objects *o)
{
    objects_lock(o);
    o->is_stopping = false;
    o->forgotten = o->version;
    objects_unlock(o);
}

bool objects_wait(struct objects *o, uint64_t timeout_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(timeout_ms / 1000 + 1); /* up to a second late */
    if (!o->is_stopping)
        pthread_cond_timedwait(&o->changed, &o->mutex, &until);
    return !o->is_stopping;
}

void objects_stop(struct objects *o)
{
    objects_lock(o);
    o->is_stopping = true;
    pthread_cond_broadcast(&o->changed);
    objects_unlock(o);
}
