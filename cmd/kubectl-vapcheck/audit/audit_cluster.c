/* Policies and objects of a cluster, a page of a list at a time. */
#include <string.h>

#include "client/base/mem.h"
#include "client/http/url.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/audit.h"
#include "controller/match/types_full.h"

enum { PAGE_ITEMS = 200 };

static const char ADMISSION[] = "admissionregistration.k8s.io";

/* ---- policies ---- */

/* The audit, and the kind of policies or bindings that are listed. */
struct gathering {
    struct audit *audit;
    bool is_mutating, is_beside;
};

static int on_policy(void *user, const char *bytes, size_t len, struct err *err)
{
    const struct gathering *g = user;
    const struct rulebook_origin origin = {
        .file = "", .is_mutating = g->is_mutating, .is_beside = g->is_beside};
    cleanup_json struct json_object *json = NULL;
    if (jsonval_parse(bytes, len, &json, err) != 0)
        return -1;
    (void)rulebook_add_policy(&g->audit->book, json, &origin);
    return 0;
}

/* Adds a binding of the cluster; a policy of the files takes only bindings that the files do not have. */
static int on_binding(void *user, const char *bytes, size_t len, struct err *err)
{
    const struct gathering *g = user;
    cleanup_json struct json_object *json = NULL;
    if (jsonval_parse(bytes, len, &json, err) != 0)
        return -1;
    (void)rulebook_add_binding(&g->audit->book, json, g->is_mutating);
    return 0;
}

/* Returns NULL if the server does not serve it. */
static const char *served_version(const struct audit *a, const char *resource)
{
    static const char *const versions[] = {"v1", "v1beta1", "v1alpha1"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const struct discovery_version *v =
            discovery_find_version(schemas_discovery(a->schemas), ADMISSION, versions[i]);
        if (v != NULL && discovery_find_resource(v, resource, NULL) != NULL)
            return versions[i];
    }
    return NULL;
}

/* Mutating policies are not served by each supported version. */
static int read_all(struct gathering *g, const char *resource, remote_on_item *on_item, struct err *err)
{
    const char *version = served_version(g->audit, resource);
    if (version == NULL && g->is_mutating)
        return 0;
    cleanup_mem char *token = NULL;
    cleanup_mem char *group_version = mem_printf("%s/%s", ADMISSION, version == NULL ? "v1" : version);
    cleanup_mem char *path =
        url_resource(&(struct url_resource){.group_version = group_version, .resource = resource});
    do {
        if (remote_list(g->audit->remote, path, PAGE_ITEMS, &token, on_item, g, err) != 0)
            return err_prefix(err, "%s", resource);
    } while (token != NULL);
    return 0;
}

/* Reads mutating policies and their bindings. If that fails, the rest of the audit goes on. */
static void read_mutating(struct audit *a)
{
    static const struct {
        const char *resource;
        remote_on_item *on_item;
    } lists[] = {{"mutatingadmissionpolicies", on_policy}, {"mutatingadmissionpolicybindings", on_binding}};
    struct gathering g = {a, true, a->n_policies_of_files > 0};
    struct err err = {0};
    for (size_t i = 0; i < 2; i++) {
        if (read_all(&g, lists[i].resource, lists[i].on_item, &err) != 0) {
            auditreport_add_not_read(&a->report, lists[i].resource, err.msg);
            return;
        }
    }
}

int audit_cluster_gather(struct audit *a, struct err *err)
{
    struct gathering g = {a, false, a->n_policies_of_files > 0};
    if (a->n_validating_of_files == 0 && read_all(&g, "validatingadmissionpolicies", on_policy, err) != 0)
        return -1;
    if (read_all(&g, "validatingadmissionpolicybindings", on_binding, err) != 0)
        return -1;
    read_mutating(a);
    return 0;
}

/* ---- the resources to list ---- */

/* Objects of a resource in one version, and the policies that see them so. */
struct unit {
    struct auditobject_route route;
    bool *is_asked; /* by policy */
    bool is_again;  /* the unit before has the same objects in another version */
};

struct units {
    struct unit *items;
    size_t count;
};

static bool is_same(const struct requestmatch_endpoint *a, const struct requestmatch_endpoint *b)
{
    return strcmp(a->group, b->group) == 0 && strcmp(a->version, b->version) == 0 &&
           strcmp(a->resource, b->resource) == 0;
}

/* The policy's objects are those of the route, in the version that it sees. first: of the resource's
 * units. */
static void add_to_unit(struct audit *a, struct units *units, const struct requestmatch_endpoint *endpoint,
                        const struct requestmatch_endpoint *as, size_t policy, size_t first)
{
    size_t i = first;
    while (i < units->count && !(is_same(&units->items[i].route.endpoint, endpoint) &&
                                 is_same(&units->items[i].route.stored_as, as)))
        i++;
    if (i == units->count) {
        struct auditobject_route route;
        if (!audit_route(a, endpoint, &route))
            return;
        route.stored_as = *as;
        units->items = mem_grow(units->items, units->count, sizeof *units->items);
        units->items[units->count++] = (struct unit){
            .route = route, .is_asked = mem_array(a->book.count, sizeof(bool)), .is_again = i > first};
    }
    units->items[i].is_asked[policy] = true;
}

/* Returns true if the policy may match requests of the route. Then *as is the endpoint that its rules
 * match. */
static bool may_match(const struct rulebook_policy *p, const struct auditobject_route *route,
                      const struct requestmatch_endpoint **as)
{
    static const struct {
        unsigned operation;
        const char *name;
    } operations[] = {{AUDITOBJECT_UPDATE, "UPDATE"}, {AUDITOBJECT_CREATE, "CREATE"}};
    for (size_t i = 0; i < 2; i++) {
        const struct requestmatch_request request = {.operation = operations[i].name,
                                                     .endpoint = route->endpoint,
                                                     .subresource = "",
                                                     .equivalents = route->equivalents,
                                                     .n_equivalents = route->n_equivalents,
                                                     .namespace = route->is_namespaced ? "any" : ""};
        if ((route->operations & operations[i].operation) == 0 || !dispatch_may(p->dispatch, &request, as))
            continue;
        if (is_same(*as, &route->endpoint))
            *as = &route->endpoint;
        else
            for (size_t k = 0; k < route->n_equivalents; k++) {
                if (is_same(*as, &route->equivalents[k]))
                    *as = &route->equivalents[k];
            }
        return true;
    }
    return false;
}

/* Validating ones; mutating ones are asked about each object. */
static void add_those_beside(const struct audit *a, struct unit *unit)
{
    for (size_t i = 0; i < a->book.count; i++) {
        const struct rulebook_policy *p = &a->book.items[i];
        unit->is_asked[i] = unit->is_asked[i] || (p->is_beside && !p->is_mutating);
    }
}

/* A policy sees the objects by the first version that it matches requests of: all versions bring the same
 * objects. */
static void add_resource(struct audit *a, struct units *units, const struct requestmatch_endpoint *endpoint)
{
    struct auditobject_route first;
    const size_t first_unit = units->count;
    if (!audit_route(a, endpoint, &first))
        return;
    for (size_t i = 0; i < a->book.count; i++) {
        const struct rulebook_policy *p = &a->book.items[i];
        const struct requestmatch_endpoint *as;
        bool is_found = p->dispatch == NULL || p->is_beside || rulebook_is_idle(p);
        for (size_t k = 0; !is_found && k <= first.n_equivalents; k++) {
            const struct requestmatch_endpoint *at = k == 0 ? endpoint : &first.equivalents[k - 1];
            struct auditobject_route route;
            if (!audit_route(a, at, &route))
                continue;
            is_found = may_match(p, &route, &as);
            if (is_found)
                add_to_unit(a, units, at, as, i, first_unit);
            audit_route_deinit(&route);
        }
    }
    audit_route_deinit(&first);
    if (units->count > first_unit)
        add_those_beside(a, &units->items[first_unit]);
}

/* Returns true if an earlier version of the group has the resource, or another group has its objects. */
static bool is_known(const struct discovery_group *g, size_t version, const char *resource)
{
    if (g->name[0] != '\0' && types_full_other_group(g->name, resource) != NULL)
        return true;
    for (size_t i = 0; i < version; i++) {
        if (discovery_find_resource(&g->versions[i], resource, NULL) != NULL)
            return true;
    }
    return false;
}

static void find_units(struct audit *a, struct units *units)
{
    const struct discovery *d = schemas_discovery(a->schemas);
    for (size_t g = 0; g < d->n_groups; g++) {
        for (size_t v = 0; v < d->groups[g].n_versions; v++) {
            const struct discovery_version *version = &d->groups[g].versions[v];
            if (version->state == DISCOVERY_FAILED) {
                cleanup_mem char *what = mem_printf("%s/%s", d->groups[g].name, version->version);
                auditreport_add_not_read(&a->report, what, "the server does not say which kinds it has");
            }
            for (size_t i = 0; i < version->n_resources; i++) {
                const struct discovery_resource *r = &version->resources[i];
                const struct requestmatch_endpoint endpoint = {d->groups[g].name, version->version, r->name,
                                                               r->group,          r->version,       r->kind};
                if (discovery_has_verb(r, "list") && !is_known(&d->groups[g], v, r->name))
                    add_resource(a, units, &endpoint);
            }
        }
    }
}

/* ---- listing ---- */

/* The items of a page: they are evaluated when it has ended, as that may ask for other objects. */
struct page {
    struct json_object **items;
    size_t count;
};

static int on_object(void *user, const char *bytes, size_t len, struct err *err)
{
    struct page *page = user;
    struct json_object *json;
    if (jsonval_parse(bytes, len, &json, err) != 0)
        return -1;
    page->items = mem_grow(page->items, page->count, sizeof(struct json_object *));
    page->items[page->count++] = json;
    return 0;
}

/* An item of a list names no kind. */
static void run_page(struct audit *a, const struct unit *unit, struct page *page)
{
    const struct requestmatch_endpoint *as = &unit->route.stored_as;
    cleanup_mem char *api_version =
        mem_printf("%s%s%s", as->kind_group, as->kind_group[0] == '\0' ? "" : "/", as->kind_version);
    for (size_t i = 0; i < page->count; i++) {
        struct json_object *json = page->items[i];
        jsonval_set(json, "apiVersion", json_object_new_string(api_version));
        jsonval_set(json, "kind", json_object_new_string(as->kind));
        const struct auditobject object = {&unit->route, json, "", 0, unit->is_again};
        audit_object(a, &object, unit->is_asked);
        json_object_put(json);
    }
    mem_free(page->items);
    *page = (struct page){0};
}

static void run_unit(struct audit *a, const struct unit *unit)
{
    const struct requestmatch_endpoint *as = &unit->route.stored_as;
    cleanup_mem char *group_version =
        mem_printf("%s%s%s", as->group, as->group[0] == '\0' ? "" : "/", as->version);
    cleanup_mem char *path =
        url_resource(&(struct url_resource){.group_version = group_version, .resource = as->resource});
    cleanup_mem char *token = NULL;
    struct page page = {0};
    struct err err = {0};
    a->report.n_kinds += !unit->is_again;
    do {
        int answer = remote_list(a->remote, path, PAGE_ITEMS, &token, on_object, &page, &err);
        run_page(a, unit, &page);
        if (answer != 0) {
            progress_end(&a->progress);
            auditreport_add_not_read(&a->report, path, err.msg);
            return;
        }
    } while (token != NULL);
}

void audit_cluster_run(struct audit *a)
{
    struct units units = {0};
    find_units(a, &units);
    progress_init(&a->progress, "lists", units.count);
    for (size_t i = 0; i < units.count; i++) {
        run_unit(a, &units.items[i]);
        progress_step(&a->progress);
        audit_route_deinit(&units.items[i].route);
        mem_free(units.items[i].is_asked);
    }
    mem_free(units.items);
}
