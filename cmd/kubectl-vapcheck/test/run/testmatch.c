#include "cmd/kubectl-vapcheck/test/run/testmatch.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/paramfind.h"
#include "controller/apiserver/dispatch/requestmatch.h"

/* As the server asks, but for the other endpoints. */
static struct requestmatch_request describe(const struct testrequest *r)
{
    const bool is_namespace = *r->group == '\0' && strcmp(r->kind, "Namespace") == 0;
    return (struct requestmatch_request){
        .operation = r->operation,
        .endpoint = {r->resource_group, r->resource_version, r->resource, r->group, r->version, r->kind},
        .subresource = r->subresource,
        .name = r->name,
        .namespace = r->namespace,
        .object = r->connect != NULL ? r->connect : r->object,
        .old_object = r->old_object,
        .namespace_object = is_namespace ? r->old_object : r->namespace_object};
}

static char *name_request(const struct testrequest *r)
{
    return mem_printf("%s of %s%s%s in %s%s%s", r->operation, r->resource, *r->subresource == '\0' ? "" : "/",
                      r->subresource, r->resource_group, *r->resource_group == '\0' ? "" : "/",
                      r->resource_version);
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
               ? requestmatch_is_exempt_from_webhooks(request->resource_group, request->resource,
                                                      schemas_minor(schemas))
               : requestmatch_is_exempt(request->resource_group, request->resource);
}

enum testmatch_answer testmatch_ask(const struct testpolicy *policy, const struct testbinding *bindings,
                                    bool is_one, const struct testrequest *request, struct schemas *schemas,
                                    struct testmatch *out)
{
    struct requestmatch_request q = describe(request);
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

/* ---- params ---- */

/* The params of a test, as all that there are. */
struct params {
    const struct discovery *discovery;
    struct json_object *object; /* NULL: there are none */
};

/* Of a kind that the server is not known to have, by what the test gives. */
static enum paramfind_scope find_scope(void *user, const char *api_version, const char *kind)
{
    const struct params *p = user;
    cleanup_groupversion struct groupversion gv = groupversion_split(api_version);
    const struct discovery_version *version = discovery_find_version(p->discovery, gv.group, gv.version);
    const struct discovery_resource *found = version == NULL ? NULL : discovery_find_kind(version, kind);
    const bool is_namespaced =
        found != NULL ? found->is_namespaced : *jsonval_metadata(p->object, "namespace") != '\0';
    return is_namespaced ? PARAMFIND_NAMESPACED : PARAMFIND_CLUSTER;
}

/* An object without a name or a namespace is one of any. */
static bool is_any_or(const char *value, const char *wanted)
{
    return wanted == NULL || *value == '\0' || strcmp(value, wanted) == 0;
}

static int find_params(void *user, const struct paramfind_query *query, struct paramfind *out,
                       struct err *err)
{
    const struct params *p = user;
    (void)err;
    if (p->object != NULL && is_any_or(jsonval_metadata(p->object, "name"), query->name) &&
        is_any_or(jsonval_metadata(p->object, "namespace"), query->namespace))
        paramfind_add(out, p->object);
    return 0;
}

enum testmatch_answer testmatch_take_params(const struct testpolicy *policy,
                                            const struct testrequest *request, const struct testcase *test,
                                            const struct discovery *discovery, struct testmatch *match)
{
    struct params params = {discovery, test->params == NULL ? NULL : test->params->root->json};
    const struct paramfind_source source = {find_scope, find_params, &params};
    size_t kept = 0, n_null = 0;
    for (size_t i = 0; i < match->count; i++) {
        struct paramfind found;
        struct err err = {0};
        const int answer = paramfind_run(policy->place.root->json, match->bindings[i]->json,
                                         request->namespace, &source, &found, &err);
        if (answer == 0 && found.count > 0) {
            n_null += found.objects[0] == NULL;
            match->bindings[kept++] = match->bindings[i];
        }
        paramfind_deinit(&found);
        if (answer != 0) {
            match->why = mem_printf("failed to configure binding: %s", err.msg);
            return TESTMATCH_FAILED;
        }
    }
    match->count = kept;
    match->has_null_params = n_null > 0;
    if (kept == 0)
        match->why = mem_strdup(
            params.object == NULL
                ? "there are no params, and the binding says parameterNotFoundAction: Allow"
                : "the paramRef of the binding does not mean the params of the test, and the binding says "
                  "parameterNotFoundAction: Allow");
    else if (n_null > 0 && n_null < kept)
        match->why = mem_strdup("one binding gives the policy params, and another one gives it none: the API "
                                "server evaluates the policy for both, and a test evaluates it once");
    return kept == 0 ? TESTMATCH_NO : match->why != NULL ? TESTMATCH_UNKNOWN : TESTMATCH_YES;
}

void testmatch_deinit(struct testmatch *m)
{
    mem_free(m->bindings);
    mem_free(m->why);
}
