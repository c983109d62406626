#include "controller/apiserver/defaults/podresources.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/quantity.h"

/* The rules are those of k8s.io/component-helpers/resource, and of DefaultPodLevelResources in api/pod. */

static const char *const shared[] = {"cpu", "memory"}; /* the resources that a node may overcommit */
static const size_t shared_count = sizeof shared / sizeof *shared;

/* The object's member, which is set to an empty object if it is none. */
static struct json_object *own(struct json_object *object, const char *key)
{
    struct json_object *found = jsonval_get(object, key);
    if (json_object_is_type(found, json_type_object))
        return found;
    jsonval_set(object, key, json_object_new_object());
    return jsonval_get(object, key);
}

static bool is_supported(const char *name)
{
    return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 ||
           strncmp(name, "hugepages-", strlen("hugepages-")) == 0;
}

/* ---- what the containers take together ---- */

static const char *amount_of(struct json_object *container, const char *list, const char *name)
{
    return jsonval_string(jsonval_get(jsonval_get(container, "resources"), list), name);
}

static void add(struct quantity_sum *sum, const char *amount)
{
    if (amount != NULL)
        quantity_add(sum, amount);
}

static void add_sum(struct quantity_sum *sum, const struct quantity_sum *more)
{
    cleanup_mem char *text = quantity_text(more);
    add(sum, text);
    sum->is_lost = sum->is_lost || more->is_lost;
}

static void raise_to(struct quantity_sum *sum, const struct quantity_sum *other)
{
    const bool is_lost = sum->is_lost || other->is_lost;
    if (other->has_any && (!sum->has_any || other->thousandths > sum->thousandths))
        *sum = *other;
    sum->is_lost = is_lost;
}

/* The most of a resource that the containers take at one time. Init containers that are always restarted run
 * on beside the containers, so their amounts are added. Every other init container runs before the
 * containers, beside only the restarted ones that were started before it. The larger of these amounts counts.
 * list: "requests" or "limits"; name: the resource. */
static struct quantity_sum sum_of(struct arena *a, struct json_object *spec, const char *list,
                                  const char *name)
{
    struct json_object *containers = jsonval_array(spec, "containers"),
                       *first = jsonval_array(spec, "initContainers");
    struct quantity_sum sum = {0}, beside = {0}, before = {0};
    for (size_t i = 0; i < jsonval_length(containers); i++) {
        arena_step(a);
        add(&sum, amount_of(jsonval_at(containers, i), list, name));
    }
    for (size_t i = 0; i < jsonval_length(first); i++) {
        const char *amount = amount_of(jsonval_at(first, i), list, name);
        struct quantity_sum now = {0};
        arena_step(a);
        if (jsonval_is(jsonval_at(first, i), "restartPolicy", "Always")) {
            add(&sum, amount);
            add(&beside, amount);
            now = beside;
        } else {
            add(&now, amount);
            add_sum(&now, &beside);
        }
        raise_to(&before, &now);
    }
    raise_to(&sum, &before);
    return sum;
}

static void put(struct json_object *map, const char *name, const struct quantity_sum *sum)
{
    cleanup_mem char *text = quantity_text(sum);
    if (text != NULL)
        jsonval_set(map, name, json_object_new_string(text));
}

/* ---- requests ---- */

static void fill_requests(struct arena *a, struct json_object *spec, struct json_object *resources)
{
    for (size_t i = 0; i < shared_count; i++) {
        const struct quantity_sum sum = sum_of(a, spec, "requests", shared[i]);
        if (sum.has_any && jsonval_get(jsonval_get(resources, "requests"), shared[i]) == NULL)
            put(own(resources, "requests"), shared[i], &sum);
    }
    jsonval_each(jsonval_get(resources, "limits"), name, limit)
    {
        arena_step(a);
        if (is_supported(name) && jsonval_get(jsonval_get(resources, "requests"), name) == NULL)
            jsonval_set(own(resources, "requests"), name, json_object_get(limit));
    }
}

void podresources_request(struct arena *a, struct json_object *pod)
{
    struct json_object *spec = jsonval_get(pod, "spec"), *resources = jsonval_get(spec, "resources");
    if (jsonval_count(jsonval_get(resources, "limits")) > 0)
        fill_requests(a, spec, resources);
}

/* ---- limits ---- */

static bool all_limit(struct arena *a, struct json_object *spec, const char *name)
{
    static const char *const lists[] = {"containers", "initContainers"};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        struct json_object *containers = jsonval_array(spec, lists[l]);
        for (size_t i = 0; i < jsonval_length(containers); i++) {
            arena_step(a);
            if (amount_of(jsonval_at(containers, i), "limits", name) == NULL)
                return false;
        }
    }
    return true;
}

/* If each container has a limit for a resource that the pod requests, the pod's limit is the sum_of those
 * limits, or the pod's request if that is more. */
static void fill_limits(struct arena *a, struct json_object *spec, struct json_object *resources)
{
    jsonval_each(jsonval_get(resources, "requests"), name, request)
    {
        arena_step(a);
        if (!is_supported(name) || jsonval_get(jsonval_get(resources, "limits"), name) != NULL ||
            !all_limit(a, spec, name))
            continue;
        struct quantity_sum sum = sum_of(a, spec, "limits", name), least = {0};
        quantity_add(&least, json_object_get_string(request));
        raise_to(&sum, &least);
        put(own(resources, "limits"), name, &sum);
    }
}

void podresources_complete(struct arena *a, struct json_object *pod)
{
    struct json_object *spec = jsonval_get(pod, "spec"), *resources = jsonval_get(spec, "resources");
    if (jsonval_count(jsonval_get(resources, "limits")) == 0 &&
        jsonval_count(jsonval_get(resources, "requests")) == 0)
        return;
    fill_requests(a, spec, resources);
    fill_limits(a, spec, resources);
}
