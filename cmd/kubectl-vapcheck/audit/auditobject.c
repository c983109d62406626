#include "cmd/kubectl-vapcheck/audit/auditobject.h"

#include "client/text/jsonval.h"

const char *auditobject_namespace(const struct auditobject *object)
{
    const char *namespace = jsonval_metadata(object->json, "namespace");
    if (!object->route->is_namespaced)
        return "";
    return namespace[0] == '\0' ? "default" : namespace;
}
