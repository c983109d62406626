#include "controller/apiserver/defaults/defaultvalues.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaultobject.h"
#include "controller/apiserver/defaults/labelkeys.h"
#include "controller/apiserver/defaults/podresources.h"
#include "controller/apiserver/defaults/quantity.h"
#include "controller/apiserver/defaults/serviceupdate.h"

static struct json_object *string(const char *text)
{
    return json_object_new_string(text);
}

/* A member that is an object, which is made if it is missing. */
static struct json_object *object_at(struct json_object *object, const char *key)
{
    struct json_object *found = jsonval_get(object, key);
    if (json_object_is_type(found, json_type_object))
        return found;
    jsonval_set(object, key, json_object_new_object());
    return jsonval_get(object, key);
}

static struct json_object *list_at(struct json_object *object, const char *key)
{
    struct json_object *found = jsonval_array(object, key);
    if (found != NULL)
        return found;
    jsonval_set(object, key, json_object_new_array());
    return jsonval_array(object, key);
}

/* Puts members of `from` that `to` lacks; both are maps of strings. */
static void put_missing(struct json_object *to, struct json_object *from)
{
    jsonval_each(from, key, value)
    {
        if (jsonval_get(to, key) == NULL)
            jsonval_set(to, key, json_object_get(value));
    }
}

/* ---- images ---- */

/* Always for the tag latest, and for an image without tag and digest. */
static struct json_object *pull_policy(const struct defaultobject *rules, struct json_object *object)
{
    (void)rules;
    const char *image = jsonval_string(object, "image"), *from = jsonval_string(object, "reference");
    image = image != NULL ? image : from != NULL ? from : "";
    const char *digest = strchr(image, '@');
    const size_t len = digest == NULL ? strlen(image) : (size_t)(digest - image);
    size_t tag = len;
    while (tag > 0 && image[tag - 1] != ':' && image[tag - 1] != '/')
        tag--;
    const bool has_tag = tag > 0 && image[tag - 1] == ':';
    const bool is_latest =
        has_tag ? len - tag == strlen("latest") && strncmp(image + tag, "latest", len - tag) == 0
                : digest == NULL;
    return string(is_latest ? "Always" : "IfNotPresent");
}

/* ---- pods ---- */

typedef void visit_container(void *user, struct json_object *container);

static void each_container(const struct defaultobject *rules, struct json_object *spec,
                           visit_container *visit, void *user)
{
    static const char *const lists[] = {"containers", "initContainers"};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        struct json_object *containers = jsonval_array(spec, lists[l]);
        for (size_t i = 0; i < jsonval_length(containers); i++) {
            arena_step(rules->arena);
            visit(user, jsonval_at(containers, i));
        }
    }
}

static void request_limits(void *arena, struct json_object *container)
{
    struct json_object *resources = jsonval_get(container, "resources"),
                       *limits = jsonval_get(resources, "limits");
    arena_pay(arena, jsonval_count(limits));
    if (jsonval_count(limits) > 0)
        put_missing(object_at(resources, "requests"), limits);
}

/* A container that names a limit requests as much. */
static struct json_object *requests(const struct defaultobject *rules, struct json_object *pod)
{
    each_container(rules, jsonval_get(pod, "spec"), request_limits, rules->arena);
    return NULL;
}

static void use_host_ports(void *arena, struct json_object *container)
{
    struct json_object *ports = jsonval_array(container, "ports");
    arena_pay(arena, jsonval_length(ports));
    for (size_t i = 0; i < jsonval_length(ports); i++) {
        struct json_object *port = jsonval_at(ports, i), *number = jsonval_get(port, "containerPort");
        if (jsonval_int(port, "hostPort", 0) == 0 && number != NULL)
            jsonval_set(port, "hostPort", json_object_get(number));
    }
}

/* If a pod uses the network of its node, a port of a container is one of the node. */
static struct json_object *host_ports(const struct defaultobject *rules, struct json_object *pod)
{
    each_container(rules, jsonval_get(pod, "spec"), use_host_ports, rules->arena);
    return NULL;
}

static bool tolerates(const struct defaultobject *rules, struct json_object *tolerations, const char *key)
{
    for (size_t i = 0; i < jsonval_length(tolerations); i++) {
        struct json_object *t = jsonval_at(tolerations, i);
        const char *own = jsonval_string_or_empty(t, "key"), *effect = jsonval_string_or_empty(t, "effect");
        arena_step(rules->arena);
        if ((*own == '\0' || strcmp(own, key) == 0) && (*effect == '\0' || strcmp(effect, "NoExecute") == 0))
            return true;
    }
    return false;
}

/* A pod stays for five minutes on a node that cannot be reached. */
static struct json_object *tolerations(const struct defaultobject *rules, struct json_object *pod)
{
    static const char *const keys[] = {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"};
    struct json_object *spec = jsonval_get(pod, "spec"), *own = jsonval_array(spec, "tolerations");
    const bool has[] = {tolerates(rules, own, keys[0]), tolerates(rules, own, keys[1])};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (has[i] || !json_object_is_type(spec, json_type_object))
            continue;
        struct json_object *t = json_object_new_object();
        jsonval_set(t, "key", string(keys[i]));
        jsonval_set(t, "operator", string("Exists"));
        jsonval_set(t, "effect", string("NoExecute"));
        jsonval_set(t, "tolerationSeconds", json_object_new_int(300));
        jsonval_append(list_at(spec, "tolerations"), t);
    }
    return NULL;
}

/* The priority of the classes that each cluster has; that of another class is not known. */
static struct json_object *priority(const struct defaultobject *rules, struct json_object *spec)
{
    (void)rules;
    static const struct {
        const char *name;
        int value;
    } classes[] = {{"", 0}, {"system-cluster-critical", 2000000000}, {"system-node-critical", 2000001000}};
    const char *name = jsonval_string_or_empty(spec, "priorityClassName");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(classes[i].name, name) == 0)
            return json_object_new_int(classes[i].value);
    }
    return NULL;
}

/* A static pod's mirror has no account. */
static struct json_object *service_account(const struct defaultobject *rules, struct json_object *spec)
{
    struct json_object *annotations = defaultobject_get(rules->root, "metadata.annotations");
    (void)spec;
    return jsonval_get(annotations, "kubernetes.io/config.mirror") == NULL ? string("default") : NULL;
}

/* ---- a pod's quality of service, and its own resources ---- */

struct quality {
    bool has_any, is_guaranteed;
};

/* Adds the resources of a container, or of the pod as a whole. */
static void add_quality(struct quality *q, struct json_object *resources)
{
    static const char *const names[] = {"cpu", "memory"};
    struct json_object *requested = jsonval_get(resources, "requests"),
                       *limits = jsonval_get(resources, "limits");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *request = jsonval_string_or_empty(requested, names[i]),
                   *limit = jsonval_string_or_empty(limits, names[i]);
        const bool has_request = quantity_is_positive(request), has_limit = quantity_is_positive(limit);
        q->has_any = q->has_any || has_request || has_limit;
        q->is_guaranteed = q->is_guaranteed && has_limit && (!has_request || strcmp(request, limit) == 0);
    }
}

static void add_container(void *quality, struct json_object *container)
{
    add_quality(quality, jsonval_get(container, "resources"));
}

static const char *quality_of(const struct defaultobject *rules, struct json_object *spec)
{
    struct quality q = {.is_guaranteed = true};
    struct json_object *own = jsonval_get(spec, "resources");
    if (own != NULL)
        add_quality(&q, own);
    else
        each_container(rules, spec, add_container, &q);
    return !q.has_any ? "BestEffort" : q.is_guaranteed ? "Guaranteed" : "Burstable";
}

static struct json_object *gated(const char *now)
{
    struct json_object *condition = json_object_new_object(), *list = json_object_new_array();
    jsonval_set(condition, "type", string("PodScheduled"));
    jsonval_set(condition, "status", string("False"));
    jsonval_set(condition, "lastProbeTime", NULL);
    jsonval_set(condition, "lastTransitionTime", string(now));
    jsonval_set(condition, "reason", string("SchedulingGated"));
    jsonval_set(condition, "message", string("Scheduling is blocked due to non-empty scheduling gates"));
    jsonval_append(list, condition);
    return list;
}

static struct json_object *pod_status(const struct defaultobject *rules, struct json_object *pod)
{
    struct json_object *status = json_object_new_object(), *spec = jsonval_get(pod, "spec");
    jsonval_set(status, "phase", string("Pending"));
    jsonval_set(status, "qosClass", string(quality_of(rules, spec)));
    if (jsonval_length(jsonval_array(spec, "schedulingGates")) > 0)
        jsonval_set(status, "conditions", gated(rules->now));
    return status;
}

static struct json_object *untimed_gates(const struct defaultobject *rules, struct json_object *pod)
{
    (void)rules;
    jsonval_set(jsonval_at(jsonval_array(jsonval_get(pod, "status"), "conditions"), 0), "lastTransitionTime",
                NULL);
    return NULL;
}

static struct json_object *pod_requests(const struct defaultobject *rules, struct json_object *pod)
{
    podresources_request(rules->arena, pod);
    return NULL;
}

static struct json_object *pod_resources(const struct defaultobject *rules, struct json_object *pod)
{
    podresources_complete(rules->arena, pod);
    return NULL;
}

static struct json_object *affinity_keys(const struct defaultobject *rules, struct json_object *pod)
{
    labelkeys_apply_affinity(rules->arena, pod);
    return NULL;
}

static struct json_object *spread_keys(const struct defaultobject *rules, struct json_object *pod)
{
    labelkeys_apply_spread(rules->arena, pod);
    return NULL;
}

/* ---- AppArmor ---- */

/* The profile that an annotation names; NULL: none. */
static struct json_object *armor_of(const char *annotation)
{
    static const char prefix[] = "localhost/";
    const bool is_local =
        strncmp(annotation, prefix, strlen(prefix)) == 0 && annotation[strlen(prefix)] != '\0';
    const char *type = strcmp(annotation, "unconfined") == 0        ? "Unconfined"
                       : strcmp(annotation, "runtime/default") == 0 ? "RuntimeDefault"
                       : is_local                                   ? "Localhost"
                                                                    : NULL;
    if (type == NULL)
        return NULL;
    struct json_object *profile = json_object_new_object();
    jsonval_set(profile, "type", string(type));
    if (is_local)
        jsonval_set(profile, "localhostProfile", string(annotation + strlen(prefix)));
    return profile;
}

/* The annotation of a container is copied to the field, unless the pod has the same profile. */
static void armor(void *pod, struct json_object *container)
{
    cleanup_mem char *key = mem_printf("container.apparmor.security.beta.kubernetes.io/%s",
                                       jsonval_string_or_empty(container, "name"));
    const char *annotation = jsonval_string(defaultobject_get(pod, "metadata.annotations"), key);
    if (annotation == NULL || defaultobject_get(container, "securityContext.appArmorProfile") != NULL)
        return;
    struct json_object *profile = armor_of(annotation);
    if (profile != NULL &&
        json_object_equal(profile, defaultobject_get(pod, "spec.securityContext.appArmorProfile")) == 0)
        jsonval_set(object_at(container, "securityContext"), "appArmorProfile", json_object_get(profile));
    json_object_put(profile);
}

/* The annotation for a profile; NULL: there is none. The caller frees it. */
static char *armor_annotation(struct json_object *profile)
{
    const char *local = jsonval_string(profile, "localhostProfile");
    if (jsonval_is(profile, "type", "Localhost"))
        return local == NULL ? NULL : mem_printf("localhost/%s", local);
    return jsonval_is(profile, "type", "Unconfined")       ? mem_strdup("unconfined")
           : jsonval_is(profile, "type", "RuntimeDefault") ? mem_strdup("runtime/default")
                                                           : NULL;
}

/* The field of a container, or else that of the pod, is copied to an annotation. */
static void annotate_armor(void *pod, struct json_object *container)
{
    cleanup_mem char *key = mem_printf("container.apparmor.security.beta.kubernetes.io/%s",
                                       jsonval_string_or_empty(container, "name"));
    struct json_object *own = defaultobject_get(container, "securityContext.appArmorProfile");
    cleanup_mem char *text =
        armor_annotation(own != NULL ? own : defaultobject_get(pod, "spec.securityContext.appArmorProfile"));
    if (text != NULL && jsonval_get(defaultobject_get(pod, "metadata.annotations"), key) == NULL)
        jsonval_set(object_at(jsonval_get(pod, "metadata"), "annotations"), key, string(text));
}

static struct json_object *armor_annotations(const struct defaultobject *rules, struct json_object *pod)
{
    if (!jsonval_is(defaultobject_get(pod, "spec.os"), "name", "windows"))
        each_container(rules, jsonval_get(pod, "spec"), annotate_armor, pod);
    return NULL;
}

static struct json_object *armors(const struct defaultobject *rules, struct json_object *pod)
{
    if (!jsonval_is(defaultobject_get(pod, "spec.os"), "name", "windows"))
        each_container(rules, jsonval_get(pod, "spec"), armor, pod);
    return NULL;
}

/* ---- volumes, nodes and namespaces ---- */

static struct json_object *empty_directory(const struct defaultobject *rules, struct json_object *volume)
{
    (void)rules;
    jsonval_each(volume, key, source)
    {
        if (strcmp(key, "name") != 0 && source != NULL)
            return NULL;
    }
    return json_object_new_object();
}

/* A server that does not know volumes of images drops them with their names. */
static struct json_object *drop_image_volumes(const struct defaultobject *rules, struct json_object *spec)
{
    struct json_object *volumes = jsonval_array(spec, "volumes"), *kept = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(volumes); i++) {
        struct json_object *volume = jsonval_at(volumes, i);
        arena_step(rules->arena);
        if (jsonval_get(volume, "image") == NULL)
            jsonval_append(kept, json_object_get(volume));
    }
    if (jsonval_length(kept) == 0)
        jsonval_drop(spec, "volumes");
    else
        jsonval_set(spec, "volumes", json_object_get(kept));
    json_object_put(kept);
    return NULL;
}

static void protect(struct json_object *object, const char *finalizer)
{
    struct json_object *list = list_at(jsonval_get(object, "metadata"), "finalizers");
    if (list != NULL && !jsonval_has_text(list, finalizer))
        jsonval_append(list, string(finalizer));
}

static struct json_object *protect_volume(const struct defaultobject *rules, struct json_object *volume)
{
    (void)rules;
    protect(volume, "kubernetes.io/pv-protection");
    return NULL;
}

static struct json_object *protect_claim(const struct defaultobject *rules, struct json_object *claim)
{
    (void)rules;
    protect(claim, "kubernetes.io/pvc-protection");
    return NULL;
}

static bool is_claim_or_snapshot(struct json_object *source)
{
    const char *group = jsonval_string_or_empty(source, "apiGroup");
    return *group == '\0' ? jsonval_is(source, "kind", "PersistentVolumeClaim")
                          : strcmp(group, "snapshot.storage.k8s.io") == 0 &&
                                jsonval_is(source, "kind", "VolumeSnapshot");
}

/* The field `to` of the spec says the same as the field `from`. */
static void copy_source(struct json_object *spec, const char *from, const char *to)
{
    struct json_object *made = jsonval_copy(jsonval_get(spec, from));
    jsonval_drop(made, "namespace");
    jsonval_set(spec, to, made);
}

/* The source of a volume stands in two fields. Neither a source in another namespace nor, in the older
 * field alone, one of another kind is kept, unless the claim had one before. */
static struct json_object *claim_source(const struct defaultobject *rules, struct json_object *claim)
{
    struct json_object *spec = jsonval_get(claim, "spec"), *old = jsonval_get(rules->old, "spec");
    if (!json_object_is_type(spec, json_type_object))
        return NULL;
    const bool had_any = jsonval_get(old, "dataSource") != NULL || jsonval_get(old, "dataSourceRef") != NULL;
    const bool is_elsewhere =
        *jsonval_string_or_empty(jsonval_get(spec, "dataSourceRef"), "namespace") != '\0';
    if (is_elsewhere && jsonval_get(old, "dataSourceRef") == NULL)
        jsonval_drop(spec, "dataSourceRef");
    struct json_object *source = jsonval_get(spec, "dataSource"), *ref = jsonval_get(spec, "dataSourceRef");
    if (!had_any && ref == NULL && source != NULL && !is_claim_or_snapshot(source)) {
        jsonval_drop(spec, "dataSource");
        source = NULL;
    }
    if (source != NULL && ref == NULL)
        copy_source(spec, "dataSource", "dataSourceRef");
    else if (ref != NULL && source == NULL && *jsonval_string_or_empty(ref, "namespace") == '\0')
        copy_source(spec, "dataSourceRef", "dataSource");
    return NULL;
}

static struct json_object *protect_attributes(const struct defaultobject *rules, struct json_object *class)
{
    (void)rules;
    protect(class, "kubernetes.io/vac-protection");
    return NULL;
}

static struct json_object *volume_status(const struct defaultobject *rules, struct json_object *volume)
{
    struct json_object *status = json_object_new_object();
    (void)volume;
    jsonval_set(status, "phase", string("Pending"));
    jsonval_set(status, "lastPhaseTransitionTime", string(rules->now));
    return status;
}

static struct json_object *node_taints(const struct defaultobject *rules, struct json_object *node)
{
    static const char key[] = "node.kubernetes.io/not-ready";
    struct json_object *list = list_at(object_at(node, "spec"), "taints");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        arena_step(rules->arena);
        if (jsonval_is(jsonval_at(list, i), "key", key))
            return NULL;
    }
    struct json_object *taint = json_object_new_object();
    jsonval_set(taint, "key", string(key));
    jsonval_set(taint, "effect", string("NoSchedule"));
    jsonval_append(list, taint);
    return NULL;
}

static struct json_object *pod_cidrs(const struct defaultobject *rules, struct json_object *spec)
{
    (void)rules;
    struct json_object *list = json_object_new_array();
    jsonval_append(list, json_object_get(jsonval_get(spec, "podCIDR")));
    return list;
}

static struct json_object *name_label(const struct defaultobject *rules, struct json_object *namespace)
{
    (void)rules;
    const char *name = jsonval_metadata(namespace, "name");
    if (*name != '\0')
        jsonval_set(object_at(jsonval_get(namespace, "metadata"), "labels"), "kubernetes.io/metadata.name",
                    string(name));
    return NULL;
}

static struct json_object *namespace_finalizers(const struct defaultobject *rules,
                                                struct json_object *namespace)
{
    (void)rules;
    struct json_object *list = list_at(object_at(namespace, "spec"), "finalizers");
    if (!jsonval_has_text(list, "kubernetes"))
        jsonval_append(list, string("kubernetes"));
    return json_object_get(jsonval_get(namespace, "spec"));
}

/* ---- limits ---- */

/* An upper bound is the default limit, and a default limit, or else a lower bound, the default request. */
static struct json_object *limit_defaults(const struct defaultobject *rules, struct json_object *item)
{
    static const struct {
        const char *to, *from;
    } steps[] = {{"default", "max"}, {"defaultRequest", "default"}, {"defaultRequest", "min"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct json_object *from = jsonval_get(item, steps[i].from);
        arena_pay(rules->arena, jsonval_count(from));
        if (jsonval_count(from) > 0)
            put_missing(object_at(item, steps[i].to), from);
    }
    return NULL;
}

/* ---- workloads ---- */

static struct json_object *template_generation(struct json_object *object, const char *text)
{
    static const char key[] = "deprecated.daemonset.template.generation";
    struct json_object *annotations = object_at(jsonval_get(object, "metadata"), "annotations");
    jsonval_set(annotations, key, string(text));
    return NULL;
}

/* Its annotation stands for a field that only the server has. */
static struct json_object *template_unset(const struct defaultobject *rules, struct json_object *set)
{
    (void)rules;
    struct json_object *annotations = defaultobject_get(set, "metadata.annotations");
    const char *now = jsonval_string(annotations, "deprecated.daemonset.template.generation");
    return now == NULL ? template_generation(set, "0") : NULL;
}

static struct json_object *template_created(const struct defaultobject *rules, struct json_object *set)
{
    static const char key[] = "deprecated.daemonset.template.generation";
    const char *now = jsonval_string(defaultobject_get(set, "metadata.annotations"), key);
    (void)rules;
    return now != NULL && strtol(now, NULL, 10) >= 1 ? NULL : template_generation(set, "1");
}

/* It counts the changes of the template. */
static struct json_object *template_updated(const struct defaultobject *rules, struct json_object *set)
{
    static const char key[] = "deprecated.daemonset.template.generation";
    const char *before = jsonval_string(defaultobject_get(rules->old, "metadata.annotations"), key);
    const bool is_same = json_object_equal(defaultobject_get(set, "spec.template"),
                                           defaultobject_get(rules->old, "spec.template")) != 0;
    const long number = before == NULL ? 0 : strtol(before, NULL, 10);
    cleanup_mem char *text = mem_printf("%ld", is_same ? number : number + 1);
    return template_generation(set, text);
}

/* The claims of a StatefulSet name their kind. */
static struct json_object *claim_kinds(const struct defaultobject *rules, struct json_object *spec)
{
    struct json_object *claims = jsonval_array(spec, "volumeClaimTemplates");
    for (size_t i = 0; i < jsonval_length(claims); i++) {
        struct json_object *claim = jsonval_at(claims, i);
        arena_step(rules->arena);
        jsonval_set(claim, "kind", string("PersistentVolumeClaim"));
        jsonval_set(claim, "apiVersion", string("v1"));
    }
    return NULL;
}

/* The pods of a Job are those with its uid. */
static struct json_object *job_selector(const struct defaultobject *rules, struct json_object *job)
{
    static const char uid_label[] = "batch.kubernetes.io/controller-uid";
    struct json_object *spec = jsonval_get(job, "spec"),
                       *metadata = object_at(object_at(spec, "template"), "metadata"),
                       *labels = object_at(metadata, "labels"),
                       *selector = object_at(object_at(spec, "selector"), "matchLabels");
    const char *name = jsonval_metadata(job, "name");
    jsonval_set(labels, "batch.kubernetes.io/job-name", string(name));
    jsonval_set(labels, "job-name", string(name));
    jsonval_set(labels, uid_label, string(rules->uid));
    jsonval_set(labels, "controller-uid", string(rules->uid));
    jsonval_set(selector, uid_label, string(rules->uid));
    return NULL;
}

/* ---- autoscaling ---- */

static void add_scaling(struct json_object *list, const char *type, int value)
{
    struct json_object *policy = json_object_new_object();
    jsonval_set(policy, "type", string(type));
    jsonval_set(policy, "value", json_object_new_int(value));
    jsonval_set(policy, "periodSeconds", json_object_new_int(15));
    jsonval_append(list, policy);
}

static void complete_scaling(struct json_object *rules, bool is_up)
{
    if (jsonval_get(rules, "selectPolicy") == NULL)
        jsonval_set(rules, "selectPolicy", string("Max"));
    if (is_up && jsonval_get(rules, "stabilizationWindowSeconds") == NULL)
        jsonval_set(rules, "stabilizationWindowSeconds", json_object_new_int(0));
    if (jsonval_length(jsonval_array(rules, "policies")) > 0)
        return;
    struct json_object *list = list_at(rules, "policies");
    if (is_up)
        add_scaling(list, "Pods", 4);
    add_scaling(list, "Percent", 100);
}

static struct json_object *scaling_behavior(const struct defaultobject *rules, struct json_object *behavior)
{
    (void)rules;
    complete_scaling(object_at(behavior, "scaleUp"), true);
    complete_scaling(object_at(behavior, "scaleDown"), false);
    return NULL;
}

/* ---- definitions ---- */

static struct json_object *lower_kind(const struct defaultobject *rules, struct json_object *names)
{
    (void)rules;
    cleanup_mem char *text = mem_strdup(jsonval_string_or_empty(names, "kind"));
    for (char *at = text; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    return string(text);
}

static struct json_object *list_kind(const struct defaultobject *rules, struct json_object *names)
{
    (void)rules;
    cleanup_mem char *text = mem_printf("%sList", jsonval_string_or_empty(names, "kind"));
    return string(text);
}

static struct json_object *stored_versions(const struct defaultobject *rules, struct json_object *crd)
{
    struct json_object *status = object_at(crd, "status"),
                       *versions = jsonval_array(jsonval_get(crd, "spec"), "versions");
    if (jsonval_length(jsonval_array(status, "storedVersions")) > 0)
        return NULL;
    struct json_object *stored = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        struct json_object *version = jsonval_at(versions, i);
        arena_step(rules->arena);
        if (jsonval_is_true(version, "storage"))
            jsonval_append(stored, string(jsonval_string_or_empty(version, "name")));
    }
    jsonval_set(status, "storedVersions", stored);
    return NULL;
}

/* ---- accounts and services ---- */

/* Of a secret, an account has nothing but the name. */
static struct json_object *secret_names(const struct defaultobject *rules, struct json_object *account)
{
    struct json_object *secrets = jsonval_array(account, "secrets"), *made = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(secrets); i++) {
        struct json_object *kept = json_object_new_object(),
                           *name = jsonval_get(jsonval_at(secrets, i), "name");
        arena_step(rules->arena);
        if (name != NULL)
            jsonval_set(kept, "name", json_object_get(name));
        jsonval_append(made, kept);
    }
    jsonval_set(account, "secrets", made);
    return NULL;
}

static struct json_object *service_updated(const struct defaultobject *rules, struct json_object *service)
{
    serviceupdate_apply(rules->arena, service, rules->old);
    return NULL;
}

static struct json_object *now(const struct defaultobject *rules, struct json_object *object)
{
    (void)object;
    return string(rules->now);
}

/* ---- by name ---- */

struct json_object *defaultvalues_make(const struct defaultobject *rules, const char *function,
                                       struct json_object *object)
{
    static const struct {
        const char *name;
        struct json_object *(*make)(const struct defaultobject *rules, struct json_object *object);
    } functions[] = {
        {"affinity_keys", affinity_keys},
        {"armor_annotations", armor_annotations},
        {"armors", armors},
        {"claim_kinds", claim_kinds},
        {"claim_source", claim_source},
        {"drop_image_volumes", drop_image_volumes},
        {"empty_directory", empty_directory},
        {"host_ports", host_ports},
        {"job_selector", job_selector},
        {"limit_defaults", limit_defaults},
        {"list_kind", list_kind},
        {"lower_kind", lower_kind},
        {"name_label", name_label},
        {"namespace_finalizers", namespace_finalizers},
        {"node_taints", node_taints},
        {"now", now},
        {"pod_cidrs", pod_cidrs},
        {"pod_requests", pod_requests},
        {"pod_resources", pod_resources},
        {"pod_status", pod_status},
        {"priority", priority},
        {"protect_attributes", protect_attributes},
        {"protect_claim", protect_claim},
        {"protect_volume", protect_volume},
        {"pull_policy", pull_policy},
        {"requests", requests},
        {"scaling_behavior", scaling_behavior},
        {"secret_names", secret_names},
        {"service_account", service_account},
        {"service_updated", service_updated},
        {"spread_keys", spread_keys},
        {"stored_versions", stored_versions},
        {"template_created", template_created},
        {"template_unset", template_unset},
        {"template_updated", template_updated},
        {"tolerations", tolerations},
        {"untimed_gates", untimed_gates},
        {"volume_status", volume_status},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, function) == 0)
            return functions[i].make(rules, object);
    }
    return NULL;
}
