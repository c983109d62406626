#include "cmd/kubectl-vapcheck/audit/audit.h"

#include <string.h>

#include "client/base/mem.h"

void audit_object(struct audit *a, const struct auditobject *object, const bool *is_asked)
{
    const struct evaluation e = {.setting = {&a->book, &a->surroundings, a->user_info, a->now},
                                 .is_asked = is_asked};
    struct evaluation_findings found = {0};
    evaluation_run(&e, object, &found);
    if (found.count > 0)
        progress_end(&a->progress);
    auditreport_object(&a->report, object, &found);
    evaluation_findings_deinit(&found);
}

bool audit_route(const struct audit *a, const struct requestmatch_endpoint *endpoint,
                 struct auditobject_route *out)
{
    const struct discovery *d = schemas_discovery(a->schemas);
    const struct discovery_version *v = discovery_find_version(d, endpoint->group, endpoint->version);
    const struct discovery_resource *r =
        v == NULL ? NULL : discovery_find_resource(v, endpoint->resource, NULL);
    if (r == NULL)
        return false;
    *out = (struct auditobject_route){.endpoint = *endpoint,
                                      .stored_as = *endpoint,
                                      .is_namespaced = r->is_namespaced,
                                      .has_status = discovery_has_status(r)};
    if (discovery_has_verb(r, "create"))
        out->operations |= AUDITOBJECT_CREATE;
    if (discovery_has_verb(r, "update") || discovery_has_verb(r, "patch"))
        out->operations |= AUDITOBJECT_UPDATE;
    out->equivalents = requestmatch_equivalents(d, endpoint, "", &out->n_equivalents);
    return true;
}

void audit_route_deinit(struct auditobject_route *route)
{
    mem_free(route->equivalents);
}
