#include "cmd/kubectl-vapcheck/check/witnesses.h"

#include <string.h>

#include "client/base/mem.h"
#include "typecheck/author.h"

/* The variables that the policy's expressions name: the others say nothing to its author. */
struct interest {
    bool request, namespace_object, authorizer;
};

static bool names(const struct policyview *policy, const char *word)
{
    for (size_t i = 0; i < policy->policy.count; i++) {
        if (strstr(policy->policy.expressions[i].text.at, word) != NULL)
            return true;
    }
    return false;
}

static char *copy(struct str text)
{
    return text.len == 0 ? NULL : mem_strndup(text.at, text.len);
}

static char *name_resource(const struct policy_request *kind)
{
    if (kind == NULL)
        return mem_strdup("any resource");
    return mem_printf("%.*s%s%.*s %.*s%s%.*s", STR_ARG(kind->group), kind->group.len == 0 ? "" : "/",
                      STR_ARG(kind->version), STR_ARG(kind->resource), kind->subresource.len == 0 ? "" : "/",
                      STR_ARG(kind->subresource));
}

static const char *name_operation(enum policy_operation operation)
{
    size_t i = 0;
    while (i + 1 < POLICY_OPERATIONS && 1u << i != (unsigned)operation)
        i++;
    return policy_operation_names[i].at;
}

/* Match conditions have no namespaceObject: it is null. */
static bool has_namespace_object(enum policy_place place)
{
    return place != POLICY_MATCH_CONDITION;
}

static void fill(struct output_witness *out, const struct witness_found *found,
                 const struct interest *interest, enum policy_place place)
{
    out->operation = name_operation(found->operation);
    out->resource = name_resource(found->kind);
    out->object = copy(found->object);
    out->old_object = copy(found->old_object);
    out->params = copy(found->params);
    out->request = interest->request ? copy(found->request) : NULL;
    const bool shows_namespace = interest->namespace_object && has_namespace_object(place);
    out->namespace_object = shows_namespace ? copy(found->namespace_object) : NULL;
    out->asks_authorizer = interest->authorizer;
    out->is_allowed = found->is_allowed;
    out->is_without_conditions = found->is_without_conditions;
    out->failure = copy(found->failure);
    out->ends_in_failure = found->ends_in_failure;
    out->error = copy(found->error);
    out->is_of_message = place == POLICY_MESSAGE;
    out->result = found->result;
}

static void find_one(struct output_witness *out, struct witness *witness, size_t expression,
                     enum policy_place place, const struct check_issue *issue, uint64_t *steps_left,
                     const struct interest *interest)
{
    const struct typecheck_issue asked = {.message = str_of(issue->message),
                                          .about = issue->about,
                                          .is_unequal = issue->is_unequal,
                                          .is_claim = issue->is_claim,
                                          .first_type = issue->type,
                                          .site = issue->site};
    struct witness_found found;
    out->issue = issue;
    if (issue->code == ISSUE_NEVER_APPLIES)
        out->reason = copy(STR("no request passes the match conditions"));
    else if (witness_find(witness, expression, &asked, steps_left, &found))
        fill(out, &found, interest, place);
    else if (issue->site.is_hidden)
        out->reason = copy(STR("no request gets here before another mistake is corrected"));
    else
        out->reason = copy(found.reason);
}

/* The tools with which a witness is found, of one policy, or of one webhook of a configuration. */
struct finder {
    struct check *check;
    struct schemas *schemas;
    struct witness *witness;
    const char *first;   /* expression */
    uint64_t steps_left; /* of the search for witnesses */
};

/* Opens the witness of the expression with that index among all. *index: its index among those that stand
 * beside it. */
static struct witness *open_witness(struct finder *f, size_t expression, size_t *index)
{
    const struct typecheck_policy *scope =
        check_scope(f->check, expression, schemas_lookup, f->schemas, index);
    if (f->witness != NULL && f->first == scope->policy.expressions[0].text.at)
        return f->witness;
    witness_free(f->witness);
    f->first = scope->policy.expressions[0].text.at;
    return f->witness = witness_new(schemas_env(f->schemas), scope);
}

void witnesses_find(struct witnesses *out, struct check *check, const struct policyview *policy,
                    struct schemas *schemas, struct output_warning *warnings)
{
    const struct check_result *result = check_result(check);
    const struct interest interest = {names(policy, "request"), names(policy, "namespaceObject"),
                                      names(policy, "authorizer")};
    struct finder finder = {.check = check, .schemas = schemas, .steps_left = WITNESS_STEPS};
    size_t count = 0, index;
    for (size_t i = 0; i < result->n_warnings; i++)
        count += result->warnings[i].n_issues;
    out->items = mem_array(count + 1, sizeof *out->items);
    for (size_t i = 0; i < result->n_warnings; i++) {
        const struct check_warning *w = &result->warnings[i];
        struct witness *witness = open_witness(&finder, w->expression, &index);
        warnings[i].witnesses = &out->items[out->count];
        warnings[i].n_witnesses = witness == NULL ? 0 : w->n_issues;
        for (size_t j = 0; j < warnings[i].n_witnesses; j++)
            find_one(&out->items[out->count++], witness, index,
                     policy->policy.expressions[w->expression].place, &w->issues[j], &finder.steps_left,
                     &interest);
    }
    witness_free(finder.witness);
}

/* "CREATE of v1 pods, object {...}", and the parameters, if the policy has any. */
static char *describe(const struct witness_found *found)
{
    cleanup_mem char *resource = name_resource(found->kind);
    const struct str object = found->object.len != 0 ? found->object : found->old_object;
    return mem_printf("%s of %s, %s %.*s%s%.*s", name_operation(found->operation), resource,
                      found->object.len != 0 ? "object" : "oldObject", STR_ARG(object),
                      found->params.len != 0 ? ", params " : "", STR_ARG(found->params));
}

static enum witnesses_proof prove(struct finder *f, const struct check_advice *advice, char **example)
{
    if (!advice->fails)
        return WITNESSES_PROVED;
    size_t index;
    struct witness *witness = open_witness(f, advice->expression, &index);
    const struct typecheck_issue asked = {.code = advice->failure,
                                          .message = STR(""),
                                          .first_type = advice->type,
                                          .site = {.node = advice->node, .is_operand = advice->is_operand}};
    struct witness_found found;
    if (witness == NULL)
        return WITNESSES_UNPROVED;
    if (!witness_find_any(witness, index, &asked, &f->steps_left, &found))
        return found.is_limited ? WITNESSES_TOO_MUCH_WORK : WITNESSES_UNPROVED;
    *example = describe(&found);
    return WITNESSES_PROVED;
}

/* Returns true if advice before this one says as much. */
static bool is_said(const struct check_result *result, const enum witnesses_proof *proofs, size_t index)
{
    const struct check_advice *advice = &result->advice[index];
    for (size_t i = 0; i < index && advice->chain != 0; i++) {
        if (proofs[i] == WITNESSES_PROVED && result->advice[i].chain == advice->chain &&
            result->advice[i].expression == advice->expression && result->advice[i].id == advice->id)
            return true;
    }
    return false;
}

enum witnesses_proof *witnesses_prove(struct check *check, struct schemas *schemas,
                                      const struct finding_set *selected, char **examples)
{
    const struct check_result *result = check_result(check);
    struct finder finder = {.check = check, .schemas = schemas, .steps_left = WITNESS_ANY_STEPS};
    enum witnesses_proof *proofs = mem_array(result->n_advice + 1, sizeof *proofs);
    for (size_t i = 0; i < result->n_advice; i++) {
        const struct check_advice *advice = &result->advice[i];
        if (finding_set_has(*selected, advice->id) && !is_said(result, proofs, i))
            proofs[i] = prove(&finder, advice, &examples[i]);
    }
    witness_free(finder.witness);
    return proofs;
}

void witnesses_deinit(struct witnesses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct output_witness *w = &list->items[i];
        mem_free(w->resource);
        mem_free(w->object);
        mem_free(w->old_object);
        mem_free(w->params);
        mem_free(w->request);
        mem_free(w->namespace_object);
        mem_free(w->failure);
        mem_free(w->error);
        mem_free(w->reason);
    }
    mem_free(list->items);
}
