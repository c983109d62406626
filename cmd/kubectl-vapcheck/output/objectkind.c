#include "cmd/kubectl-vapcheck/output/objectkind.h"

#include <string.h>

/* The first that fits. */
const struct objectkind objectkinds[OBJECTKIND_COUNT] = {
    {"AdmissionPolicy", "policy", "policies"},
    {"WebhookConfiguration", "webhook configuration", "webhook configurations"},
    {"CustomResourceDefinition", "CRD", "CRDs"},
    {"CompositeResourceDefinition", "XRD", "XRDs"},
    {"AdmissionPolicyBinding", "binding", "bindings"},
    {"AuthenticationConfiguration", "authentication configuration", "authentication configurations"},
    {"AuthorizationConfiguration", "authorization configuration", "authorization configurations"},
    {"ConstraintTemplate", "constraint template", "constraint templates"},
    {"DeviceClass", "device class", "device classes"},
    {"ResourceClaim", "resource claim", "resource claims"},
    {"ResourceClaimTemplate", "resource claim template", "resource claim templates"},
    {"", "object", "objects"},
};

size_t objectkind_of(const char *kind)
{
    const size_t len = strlen(kind);
    size_t i = 0;
    while (len < strlen(objectkinds[i].suffix) ||
           strcmp(kind + len - strlen(objectkinds[i].suffix), objectkinds[i].suffix) != 0)
        i++;
    return i;
}
