#include "controller/apiserver/defaults/defaults.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/decodeproblem.h"
#include "controller/apiserver/defaults/defaultrules.h"
#include "controller/apiserver/defaults/requestobject.h"
#include "typecheck/decision.h"
#include "typecheck/text.h"

/* The limits of one object: a server takes no object of more than 3 MB. */
#define ARENA_BYTES ((size_t)256 * 1024 * 1024)
#define MAX_STEPS   ((uint64_t)64 * 1024 * 1024)

/* The first minor version whose pods have a generation. */
enum { GENERATION_OF_PODS = 33 };

static void init_arena(struct arena *a)
{
    arena_init(a, ARENA_BYTES);
    a->max_steps = MAX_STEPS;
}

static struct json_object *copy(struct json_object *value)
{
    struct json_object *out = NULL;
    return value != NULL && json_object_deep_copy(value, &out, NULL) == 0 ? out : json_object_get(value);
}

static void put(struct json_object *object, const char *key, const char *text)
{
    jsonval_set(object, key, json_object_new_string(text));
}

/* ---- as Go writes it ---- */

/* old: of an UPDATE; else NULL. */
static void apply_to(const struct defaults_kind *kind, enum default_rows_stage stage,
                     struct json_object *object, struct json_object *old)
{
    struct go_type type;
    struct arena a;
    init_arena(&a);
    struct defaultobject rules = {
        .arena = &a, .minor = kind->minor, .root = object, .old = old, .now = kind->now, .uid = DEFAULTS_UID};
    if (setjmp(a.escape) == 0 && go_type_of_resource(kind->type.doc, kind->type.root, &type))
        defaultrules_apply(&rules, stage, &type);
    arena_deinit(&a);
}

static void apply(const struct defaults_kind *kind, enum default_rows_stage stage, struct json_object *object)
{
    apply_to(kind, stage, object, NULL);
}

/* Takes the object, and returns it as the server writes it: pruned, and with what the schema sets. */
static struct json_object *rewrite(const struct defaults_kind *kind, struct json_object *take_object)
{
    cleanup_buf struct buf text;
    struct json_object *made = NULL;
    struct arena a;
    struct str written;
    struct err err;
    buf_init(&text, SIZE_MAX / 2);
    jsontree_write(&text, take_object);
    init_arena(&a);
    if (setjmp(a.escape) == 0 &&
        written_object(&a, (struct str){text.data, text.len}, &kind->type, &written) &&
        jsonval_parse(written.at, written.len, &made, &err) != 0)
        made = NULL;
    arena_deinit(&a);
    if (made == NULL)
        return take_object;
    json_object_put(take_object);
    apply(kind, DEFAULT_ROWS_WRITTEN, made);
    return made;
}

static bool is_custom(const struct defaults_kind *kind)
{
    struct go_type type;
    return kind->type.root == NULL || !go_type_of_resource(kind->type.doc, kind->type.root, &type);
}

/* ---- reading ---- */

static char *find_problem(const struct defaults_kind *kind, struct json_object *object)
{
    char *volatile problem = NULL;
    struct arena a;
    init_arena(&a);
    if (setjmp(a.escape) == 0)
        problem = decodeproblem_find(&a, &kind->type, object);
    else
        problem = mem_strdup("it is too large");
    arena_deinit(&a);
    return problem;
}

struct json_object *defaults_decode(const struct defaults_kind *kind, struct json_object *object,
                                    char **problem)
{
    struct json_object *made = copy(object), *metadata = jsonval_get(made, "metadata");
    char *wrong = NULL;
    if (kind->is_namespaced && kind->namespace != NULL && *kind->namespace != '\0' &&
        *jsonval_string_or_empty(metadata, "namespace") == '\0' &&
        json_object_is_type(metadata, json_type_object))
        put(metadata, "namespace", kind->namespace);
    if (kind->type.root != NULL) {
        wrong = find_problem(kind, made);
        if (wrong == NULL) {
            made = rewrite(kind, made);
            apply(kind, DEFAULT_ROWS_DECODED, made);
        }
    }
    if (problem != NULL)
        *problem = wrong;
    else
        mem_free(wrong);
    return made;
}

/* ---- creating ---- */

struct json_object *defaults_admit(const struct defaults_kind *kind, struct json_object *object, bool is_new)
{
    static const char *const wiped[] = {"uid", "creationTimestamp", "selfLink", "deletionTimestamp",
                                        "deletionGracePeriodSeconds"};
    struct json_object *made = copy(object), *metadata = jsonval_get(made, "metadata");
    for (size_t i = 0; is_new && i < sizeof wiped / sizeof *wiped; i++)
        jsonval_drop(metadata, wiped[i]);
    if (kind->type.root == NULL)
        return made;
    if (is_new)
        apply(kind, DEFAULT_ROWS_SENT, made);
    apply(kind, DEFAULT_ROWS_ADMITTED, made);
    return made;
}

/* Sets the value of the stored object, or the one in its place. */
static void put_own(const struct defaults_kind *kind, struct json_object *metadata, const char *key,
                    const char *text)
{
    const char *stored = jsonval_string_or_empty(kind->metadata, key);
    if (json_object_is_type(metadata, json_type_object))
        put(metadata, key, *stored == '\0' ? text : stored);
}

struct json_object *defaults_create(const struct defaults_kind *kind, struct json_object *object)
{
    struct json_object *made = copy(object), *metadata = jsonval_get(made, "metadata");
    put_own(kind, metadata, "uid", DEFAULTS_UID);
    put_own(kind, metadata, "creationTimestamp", kind->now);
    requestobject_create(made, kind->has_status);
    if (is_custom(kind))
        jsonval_set(metadata, "generation", json_object_new_int(1));
    if (kind->type.root == NULL)
        return made;
    if (is_custom(kind))
        return made;
    apply(kind, DEFAULT_ROWS_DROPPED, made);
    made = rewrite(kind, made);
    apply(kind, DEFAULT_ROWS_CREATED, made);
    return made;
}

/* ---- updating ---- */

static bool is_same(struct json_object *object, struct json_object *old, const char *path)
{
    return json_object_equal(defaultobject_get(object, path), defaultobject_get(old, path)) != 0;
}

/* Returns true if nothing but the metadata and, if it has a subresource of its own, the status of a custom
 * resource changes. */
static bool is_custom_as_wanted(const struct defaults_kind *kind, struct json_object *object,
                                struct json_object *old)
{
    bool is = true;
    for (int turn = 0; turn < 2; turn++) {
        struct json_object *one = turn == 0 ? object : old, *other = turn == 0 ? old : object;
        jsonval_each(one, key, value)
        {
            const bool is_counted =
                strcmp(key, "metadata") != 0 && !(kind->has_status && strcmp(key, "status") == 0);
            is = is && (!is_counted || json_object_equal(value, jsonval_get(other, key)) != 0);
        }
    }
    return is;
}

/* Returns true if the fields whose changes the generation counts, those that the author decides, are the
 * same. */
static bool is_as_wanted(const struct defaults_kind *kind, struct json_object *object,
                         struct json_object *old)
{
    static const struct {
        const char *kind, *fields[5]; /* "": of each kind */
    } rows[] = {
        {"", {"spec"}},
        {"Deployment", {"metadata.annotations"}},
        {"EndpointSlice", {"addressType", "endpoints", "ports", "metadata.labels"}},
        {"MutatingWebhookConfiguration", {"webhooks"}},
        {"PodTemplate", {"template"}},
        {"ValidatingWebhookConfiguration", {"webhooks"}},
    };
    bool is = !is_custom(kind) || is_custom_as_wanted(kind, object, old);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_asked = *rows[i].kind == '\0' || jsonval_is(object, "kind", rows[i].kind);
        for (size_t k = 0; is && is_asked && rows[i].fields[k] != NULL; k++)
            is = is_same(object, old, rows[i].fields[k]);
    }
    return is;
}

/* Returns true if the generation begins with the first change, if the object has none. */
static bool begins_with_change(const struct defaults_kind *kind, struct json_object *object)
{
    return jsonval_is(object, "kind", "CSIDriver") ||
           (jsonval_is(object, "kind", "Pod") && kind->minor >= GENERATION_OF_PODS);
}

static void count_generation(const struct defaults_kind *kind, struct json_object *object,
                             struct json_object *old)
{
    const int64_t before = jsonval_int(jsonval_get(old, "metadata"), "generation", 0);
    struct json_object *metadata = jsonval_get(object, "metadata");
    const bool is_changed = !is_as_wanted(kind, object, old);
    if (before != 0 || (is_changed && begins_with_change(kind, object)))
        jsonval_set(metadata, "generation", json_object_new_int64(before + is_changed));
    else
        jsonval_drop(metadata, "generation");
}

struct json_object *defaults_update(const struct defaults_kind *kind, struct json_object *object,
                                    struct json_object *old, const char *subresource)
{
    struct json_object *made = copy(object);
    requestobject_update(made, old, subresource, kind->has_status);
    if (kind->type.root != NULL)
        apply_to(kind, DEFAULT_ROWS_UPDATED, made, old);
    count_generation(kind, made, old);
    return made;
}

struct json_object *defaults_stored(const struct defaults_kind *kind, struct json_object *object)
{
    static const char *const kept[] = {"generation", "finalizers", "deletionTimestamp",
                                       "deletionGracePeriodSeconds", "resourceVersion"};
    struct json_object *admitted = defaults_admit(kind, object, true),
                       *made = defaults_create(kind, admitted), *status = jsonval_get(object, "status"),
                       *own = jsonval_get(object, "metadata");
    json_object_put(admitted);
    if (kind->has_status && jsonval_count(status) > 0)
        jsonval_set(made, "status", json_object_get(status));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (jsonval_get(own, kept[i]) != NULL)
            jsonval_set(jsonval_get(made, "metadata"), kept[i], json_object_get(jsonval_get(own, kept[i])));
    }
    return made;
}
