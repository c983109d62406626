#include "cmd/kubectl-vapcheck/input/servedkinds.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/apiserver/validation/devices.h"
#include "typecheck/text.h"

static const char admission[] = "admissionregistration.k8s.io";

/* The kind that an object says it has. */
struct named {
    const char *api_version, *kind, *version; /* version: within api_version */
    char *group;
};

static struct named name_of(struct json_object *object)
{
    struct named n = {.api_version = jsonval_string_or_empty(object, "apiVersion"),
                      .kind = jsonval_string_or_empty(object, "kind")};
    const struct groupversion named = groupversion_split(n.api_version);
    n.version = named.version;
    n.group = named.group;
    return n;
}

static bool has_kind(const struct discovery_version *v, const char *kind)
{
    for (size_t i = 0; i < v->n_resources; i++) {
        if (strcmp(v->resources[i].kind, kind) == 0)
            return true;
    }
    return false;
}

static bool is_known(const struct discovery_version *v)
{
    return v->state != DISCOVERY_FAILED;
}

/* The group's first version with the kind; NULL: none. */
static const char *version_with(const struct discovery_group *group, const char *kind)
{
    for (size_t i = 0; group != NULL && i < group->n_versions; i++) {
        if (has_kind(&group->versions[i], kind))
            return group->versions[i].version;
    }
    return NULL;
}

/* ---- hints ---- */

/* Opens the bundle of a version; NULL if it cannot be read. */
static const struct schemas *open_bundle(struct servedkinds *s, size_t i)
{
    struct err err = {0};
    if (s->bundles == NULL)
        s->bundles = mem_array(bundles_count, sizeof(struct schemas *));
    if (s->bundles[i] == NULL &&
        schemas_open_bytes(bundles[i].bytes, bundles[i].len, &s->bundles[i], &err) != 0)
        s->bundles[i] = NULL;
    return s->bundles[i];
}

/* The first bundle after the server's version that has the kind, in whatever version of admission's group. */
static char *newer_hint(struct servedkinds *s, const struct named *n)
{
    for (size_t i = 0; i < bundles_count; i++) {
        const struct schemas *bundle = open_bundle(s, i);
        if (bundle == NULL || schemas_minor(bundle) <= s->minor)
            continue;
        const char *version =
            version_with(discovery_find_group(schemas_discovery(bundle), admission), n->kind);
        cleanup_mem char *wanted = mem_printf("%s/%s", admission, version == NULL ? "" : version);
        if (version != NULL)
            return mem_printf("Kubernetes 1.%d does not have it: needs %s%s%s", s->minor,
                              bundles[i].kube_version, strcmp(wanted, n->api_version) == 0 ? "" : " and ",
                              strcmp(wanted, n->api_version) == 0 ? "" : wanted);
    }
    return NULL;
}

static char *kind_hint(const struct discovery_group *group, const char *kind)
{
    struct suggest near;
    suggest_init(&near, kind);
    for (size_t i = 0; i < group->n_versions; i++) {
        for (size_t j = 0; j < group->versions[i].n_resources; j++)
            suggest_offer(&near, group->versions[i].resources[j].kind);
    }
    return near.best == NULL ? NULL : mem_printf("did you mean %s?", near.best);
}

/* Returns the hint about an unknown kind, or NULL if nobody knows one. *is_kind: another kind of the group
 * is meant. */
static char *hint_of(struct servedkinds *s, const struct discovery *discovery, const struct named *n,
                     bool *is_kind)
{
    const struct discovery_group *group = discovery_find_group(discovery, n->group);
    const char *const homes[] = {admission, n->group};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *version = version_with(discovery_find_group(discovery, homes[i]), n->kind);
        if (version != NULL)
            return mem_printf("Kubernetes 1.%d has it in %s/%s", s->minor, homes[i], version);
    }
    char *hint = newer_hint(s, n);
    if (hint != NULL || group == NULL)
        return hint;
    hint = kind_hint(group, n->kind);
    *is_kind = hint != NULL;
    return hint;
}

/* ---- kinds that are served on demand ---- */

/* The versions before v1, and the servers that have each but do not serve it by default: lifecycles of
 * k8s.io/api/admissionregistration and resource. */
static const struct on_demand {
    const char *group, *kind, *version;
    int first_minor, last_minor;
    const char *gate; /* the feature gate that it needs besides; NULL: none */
} on_demand[] = {
#define ON_DEMAND(group, kind, version, first, last, gate) {group, kind, version, first, last, gate},
#include "typecheck/cel/types/features.def"
#include "typecheck/version.h"
};

/* Returns the row of the kind; NULL if it is not one of those that are served on demand. */
static const struct on_demand *find_on_demand(const struct servedkinds *s, const struct named *n)
{
    for (size_t i = 0; s->is_bundle && i < sizeof on_demand / sizeof *on_demand; i++) {
        const struct on_demand *d = &on_demand[i];
        if (strcmp(n->group, d->group) == 0 && strcmp(n->kind, d->kind) == 0 &&
            strcmp(n->version, d->version) == 0 && s->minor >= d->first_minor && s->minor <= d->last_minor)
            return d;
    }
    return NULL;
}

void servedkinds_note(const struct servedkinds *s, struct json_object *object, struct fielderrors *out)
{
    struct named n = name_of(object);
    const struct on_demand *found = find_on_demand(s, &n);
    if (found != NULL) {
        const bool is_gated = found->gate != NULL && !kubernetes_in(s->minor).enables_mutating_policies;
        cleanup_mem char *gate = is_gated ? mem_printf(" and --feature-gates=%s=true", found->gate) : NULL;
        fielderrors_add(out,
                        mem_printf("Kubernetes 1.%d serves %s in %s only if it is started with "
                                   "--runtime-config=%s=true%s",
                                   s->minor, n.kind, n.api_version, n.api_version, gate == NULL ? "" : gate),
                        "apiVersion");
    }
    mem_free(n.group);
}

/* ---- refusing ---- */

/* Returns true if the server surely has no such thing. A group that it does not have may be somebody's own,
 * unless it is ours but for a slip. */
static bool is_missing(const struct discovery *discovery, const struct named *n)
{
    const struct discovery_group *group = discovery_find_group(discovery, n->group);
    const struct discovery_version *version = discovery_find_version(discovery, n->group, n->version);
    if (group == NULL) {
        struct suggest near;
        suggest_init(&near, n->group);
        suggest_offer(&near, admission);
        return near.best != NULL && strcmp(n->group, admission) != 0;
    }
    return version == NULL || (is_known(version) && !has_kind(version, n->kind));
}

bool servedkinds_refuse(struct servedkinds *s, const struct discovery *discovery, struct json_object *object,
                        struct fielderrors *out)
{
    struct named n = name_of(object);
    bool is_refused = *n.api_version == '\0' || (is_missing(discovery, &n) && find_on_demand(s, &n) == NULL);
    if (is_refused) {
        char *message = *n.api_version == '\0' ? mem_strdup("apiVersion not set")
                                               : mem_printf("no matches for kind \"%s\" in version \"%s\"",
                                                            n.kind, n.api_version);
        bool is_kind = false;
        char *hint = hint_of(s, discovery, &n, &is_kind);
        const bool has_version = discovery_find_version(discovery, n.group, n.version) != NULL;
        fielderrors_add(out, message, "%s", is_kind && has_version ? "kind" : "apiVersion");
        fielderrors_hint(out, hint);
    }
    mem_free(n.group);
    return is_refused;
}

void servedkinds_deinit(struct servedkinds *s)
{
    for (size_t i = 0; s->bundles != NULL && i < bundles_count; i++)
        schemas_free(s->bundles[i]);
    mem_free(s->bundles);
}
