#include "cmd/kubectl-vapcheck/audit/auditobject.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/output.h"

const char *auditobject_namespace(const struct auditobject *object)
{
    const char *namespace = jsonval_metadata(object->json, "namespace");
    if (!object->route->is_namespaced)
        return "";
    return namespace[0] == '\0' ? "default" : namespace;
}

struct defaults_kind auditobject_kind(const struct auditobject_route *route, struct schemas *schemas,
                                      const char *now)
{
    const struct requestmatch_endpoint *e = &route->endpoint;
    return (struct defaults_kind){.type = schemas_type(schemas, e->kind_group, e->kind_version, e->kind),
                                  .minor = schemas_minor(schemas),
                                  .is_namespaced = route->is_namespaced,
                                  .has_status = route->has_status,
                                  .namespace = route->is_namespaced ? "default" : NULL,
                                  .now = now};
}

char *auditobject_title(const struct auditobject *object)
{
    const char *namespace = auditobject_namespace(object);
    return mem_printf("%s %s%s%s", object->route->stored_as.kind, namespace, namespace[0] == '\0' ? "" : "/",
                      output_name(object->json));
}
