#include "cmd/kubectl-vapcheck/lsp/exprscope.h"

#include <string.h>

#include "controller/apiserver/validation/configuration.h"
#include "controller/apiserver/validation/devices.h"
#include "typecheck/compile.h"

/* The scope of a rule in the definition itself, or in the first one that Crossplane makes of it. */
static bool init_rule(struct exprscope *s, const struct exprplace *place, const struct schemas *schemas)
{
    definitions_of(place->object->kind, place->object->root->json, &s->definitions);
    if (s->definitions.count == 0 ||
        !crdself_find(s->definitions.items[0], schemas_minor(schemas), place->field, &s->self))
        return false;
    s->place.place = CEL_PLACE_RULE;
    s->place.scope = (struct cel_place_scope){.env = schemas_new_env(schemas),
                                              .self = &s->self.type,
                                              .has_optional_old_self = s->self.has_optional_old_self};
    return true;
}

static bool init_configuration(struct exprscope *s, const struct exprplace *place,
                               const struct schemas *schemas)
{
    s->place.scope = (struct cel_place_scope){.env = schemas_env(schemas)};
    return configuration_place(place->field, &s->place.place);
}

static bool init_selector(struct exprscope *s, const struct exprplace *place, const struct schemas *schemas)
{
    s->place.place = CEL_PLACE_SELECTOR;
    s->place.scope =
        (struct cel_place_scope){.env = schemas_new_env(schemas), .minor = schemas_minor(schemas)};
    return devices_is_supported(schemas_minor(schemas)) && devices_is_selector(place->field);
}

bool exprscope_init(struct exprscope *s, const struct exprplace *place, const struct schemas *schemas)
{
    bool is_there = false;
    *s = (struct exprscope){.place = {.text = place->text}};
    switch (place->object->kind) {
    case OBJECTKIND_CRD:
    case OBJECTKIND_COMPOSITE:
        is_there = init_rule(s, place, schemas);
        break;
    case OBJECTKIND_AUTHENTICATION:
    case OBJECTKIND_AUTHORIZATION:
        is_there = init_configuration(s, place, schemas);
        break;
    case OBJECTKIND_DEVICE_CLASS:
    case OBJECTKIND_RESOURCE_CLAIM:
    case OBJECTKIND_RESOURCE_CLAIM_TEMPLATE:
        is_there = init_selector(s, place, schemas);
        break;
    case OBJECTKIND_POLICY:
    case OBJECTKIND_BINDING:
    case OBJECTKIND_MUTATING_POLICY:
    case OBJECTKIND_MUTATING_BINDING:
    case OBJECTKIND_VALIDATING_WEBHOOKS:
    case OBJECTKIND_MUTATING_WEBHOOKS:
    case OBJECTKIND_CONSTRAINT_TEMPLATE:
    case OBJECTKIND_MISNAMED:
    case OBJECTKIND_OTHER:
        break;
    }
    if (!is_there)
        exprscope_deinit(s);
    return is_there;
}

void exprscope_deinit(struct exprscope *s)
{
    crdself_deinit(&s->self);
    definitions_deinit(&s->definitions);
}
