#include "cmd/kubectl-vapcheck/test/testmatch.h"

#include <string.h>

#include "client/base/mem.h"
#include "controller/dispatch/requestmatch.h"

static struct json_object *json_of(const struct testobject *o)
{
    return o == NULL ? NULL : o->root->json;
}

/* As the server asks, but for the other endpoints. */
static struct requestmatch_request describe(const struct testrequest *r, const struct testcase *t)
{
    const bool is_namespace = *r->group == '\0' && strcmp(r->kind, "Namespace") == 0;
    return (struct requestmatch_request){
        .operation = r->operation,
        .endpoint = {r->group, r->version, r->resource, r->group, r->version, r->kind},
        .subresource = r->subresource,
        .name = r->name,
        .namespace = r->namespace,
        .object = r->connect != NULL ? r->connect : json_of(t->object),
        .old_object = json_of(t->old_object),
        .namespace_object = is_namespace ? json_of(t->old_object) : r->namespace_object};
}

static char *name_request(const struct testrequest *r)
{
    return mem_printf("%s of %s%s%s in %s%s%s", r->operation, r->resource, *r->subresource == '\0' ? "" : "/",
                      r->subresource, r->group, *r->group == '\0' ? "" : "/", r->version);
}

/* as: NULL where the answer is not YES. */
static enum testmatch_answer ask(const struct requestmatch *match, const struct requestmatch_request *q,
                                 const struct requestmatch_endpoint **as, struct testmatch *out)
{
    struct err err = {0};
    switch (requestmatch_ask(match, q, as, &err)) {
    case REQUESTMATCH_YES:
        return TESTMATCH_YES;
    case REQUESTMATCH_NO:
        return TESTMATCH_NO;
    case REQUESTMATCH_FAILED:
        break;
    }
    mem_free(out->why);
    out->why = mem_strdup(err.msg);
    return TESTMATCH_FAILED;
}

/* Where the rules stand, as users call it. */
static const char *name_rules(const struct testpolicy *p)
{
    return p->subject == TESTSUBJECT_WEBHOOK ? "the rules and selectors of the webhook do"
                                             : "spec.matchConstraints of the policy does";
}

static enum testmatch_answer ask_policy(const struct testpolicy *p, const struct testrequest *r,
                                        const struct requestmatch_request *q, struct testmatch *out)
{
    const struct requestmatch_endpoint *as = &q->endpoint;
    const enum testmatch_answer answer = ask(p->match, q, &as, out);
    if (answer == TESTMATCH_FAILED || (answer == TESTMATCH_YES && as == &q->endpoint))
        return answer;
    cleanup_mem char *request = name_request(r);
    if (answer == TESTMATCH_NO) {
        out->why = mem_printf("%s not match the %s", name_rules(p), request);
        return answer;
    }
    out->why = mem_printf("the rules match the %s as version %s, to which vapcheck does not convert objects",
                          request, as->version);
    return TESTMATCH_UNKNOWN;
}

static void add(struct testmatch *out, const struct testbinding *b)
{
    out->bindings = mem_grow(out->bindings, out->count, sizeof(void *));
    out->bindings[out->count++] = b;
}

static enum testmatch_answer ask_bindings(const struct testbinding *bindings, bool is_one,
                                          const struct requestmatch_request *q, struct testmatch *out)
{
    for (const struct testbinding *b = bindings; b != NULL; b = is_one ? NULL : b->next) {
        const enum testmatch_answer answer = ask(b->match, q, NULL, out);
        if (answer == TESTMATCH_FAILED)
            return answer;
        if (answer == TESTMATCH_YES)
            add(out, b);
    }
    if (bindings == NULL || out->count > 0)
        return TESTMATCH_YES;
    out->why = mem_strdup("spec.matchResources of no binding matches the request");
    return TESTMATCH_NO;
}

static bool is_exempt(const struct testpolicy *policy, const struct testrequest *request,
                      const struct schemas *schemas)
{
    return policy->subject == TESTSUBJECT_WEBHOOK
               ? requestmatch_is_exempt_from_webhooks(request->group, request->resource,
                                                      schemas_minor(schemas))
               : requestmatch_is_exempt(request->group, request->resource);
}

enum testmatch_answer testmatch_ask(const struct testpolicy *policy, const struct testbinding *bindings,
                                    bool is_one, const struct testrequest *request,
                                    const struct testcase *test, struct schemas *schemas,
                                    struct testmatch *out)
{
    struct requestmatch_request q = describe(request, test);
    *out = (struct testmatch){.count = 0};
    if (is_exempt(policy, request, schemas)) {
        out->why =
            mem_printf("no %s is asked about %s",
                       policy->subject == TESTSUBJECT_WEBHOOK ? "webhook" : "policy", request->resource);
        return TESTMATCH_NO;
    }
    struct requestmatch_endpoint *others =
        requestmatch_equivalents(schemas_discovery(schemas), &q.endpoint, q.subresource, &q.n_equivalents);
    q.equivalents = others;
    enum testmatch_answer answer = ask_policy(policy, request, &q, out);
    if (answer == TESTMATCH_YES)
        answer = ask_bindings(bindings, is_one, &q, out);
    mem_free(others);
    return answer;
}

void testmatch_deinit(struct testmatch *m)
{
    mem_free(m->bindings);
    mem_free(m->why);
}
