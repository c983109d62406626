#include "controller/reconcile/memories.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

/* A cluster that serves kinds of the group g, one of which comes and goes. All that is retired is freed at
 * the end of the test, as if checks held it. */
enum { KINDS = 40, RETIRED = 4096 };

static struct discovery *discovery;
static struct schema *schema;
static struct env *env;
static uint64_t revision, env_revision;
static struct {
    void *object;
    void (*free_object)(void *object);
} retired[RETIRED];
static size_t n_retired;

uint64_t cluster_revision(const struct cluster *cluster)
{
    (void)cluster;
    return revision;
}

uint64_t cluster_env_revision(const struct cluster *cluster)
{
    (void)cluster;
    return env_revision;
}

void cluster_retire(struct cluster *cluster, void *object, void (*free_object)(void *object))
{
    (void)cluster;
    if (object == NULL)
        return;
    assert_true(n_retired < RETIRED);
    retired[n_retired].object = object;
    retired[n_retired++].free_object = free_object;
}

static void free_schema(void *object)
{
    schema_free(object);
}

static void free_discovery(void *object)
{
    discovery_free(object);
}

static struct discovery *make_discovery(int kinds)
{
    struct discovery *d = discovery_new();
    struct discovery_resource *resources = discovery_array(d, (size_t)kinds, sizeof *resources);
    struct discovery_version *v = discovery_array(d, 1, sizeof *v);
    struct discovery_group *g = discovery_array(d, 1, sizeof *g);
    const char **verbs = discovery_array(d, 2, sizeof(char *));
    verbs[0] = "create";
    verbs[1] = "update";
    for (int i = 0; i < kinds; i++) {
        char kind[16], plural[16];
        snprintf(kind, sizeof kind, "K%d", i);
        snprintf(plural, sizeof plural, "k%ds", i);
        resources[i] = (struct discovery_resource){.name = discovery_string(d, plural),
                                                   .singular = "",
                                                   .group = "g.example.com",
                                                   .version = "v1",
                                                   .kind = discovery_string(d, kind),
                                                   .is_namespaced = true,
                                                   .verbs = verbs,
                                                   .n_verbs = 2};
    }
    *v = (struct discovery_version){"v1", DISCOVERY_CURRENT, resources, (size_t)kinds};
    *g = (struct discovery_group){"g.example.com", "v1", v, 1};
    discovery_finish(d, g, 1);
    return d;
}

static struct schema *make_schema(int kinds, const char *type_of_last)
{
    static char json[KINDS * 512];
    char message[SCHEMA_MESSAGE_BYTES];
    size_t len = (size_t)snprintf(json, sizeof json, "{\"components\":{\"schemas\":{");
    for (int i = 0; i < kinds; i++)
        len += (size_t)snprintf(
            json + len, sizeof json - len,
            "%s\"com.example.g.v1.K%d\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},"
            "\"spec\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"%s\"}}}},"
            "\"x-kubernetes-group-version-kind\":[{\"group\":\"g.example.com\",\"version\":\"v1\",\"kind\":"
            "\"K%d\"}]}",
            i == 0 ? "" : ",", i, i == kinds - 1 ? type_of_last : "integer", i);
    snprintf(json + len, sizeof json - len, "}}}");
    struct schema *made = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(made);
    schema_digest_kinds(made);
    return made;
}

static void serve(int kinds, const char *type_of_last)
{
    cluster_retire(NULL, discovery, free_discovery);
    cluster_retire(NULL, schema, free_schema);
    discovery = make_discovery(kinds);
    schema = make_schema(kinds, type_of_last);
    revision++;
}

static const struct schema *lookup(void *user, const char *path, enum openapi_state *state)
{
    (void)user;
    assert_string_equal(path, "apis/g.example.com/v1");
    *state = OPENAPI_FRESH;
    return schema;
}

static struct json_object *make_policy(int generation)
{
    struct json_object *json;
    struct err err = {0};
    cleanup_mem char *text = mem_printf(
        "{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"generation\":%d},\"spec\":{\"matchConstraints\":{"
        "\"resourceRules\":[{\"apiGroups\":[\"*\"],\"apiVersions\":[\"*\"],\"resources\":[\"*\"],"
        "\"operations\":[\"CREATE\"]}]},\"validations\":[{\"expression\":"
        "\"!has(object.spec) || !has(object.spec.n) || object.spec.n %s 1\"}]}}",
        generation, generation == 1 ? "<" : ">");
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    return json;
}

/* The steps that the check takes; *warnings: how many it finds. */
static uint64_t count_steps(struct memories *m, int generation, size_t *warnings)
{
    struct json_object *json = make_policy(generation);
    struct policyview *policy;
    struct err err = {0};
    struct types_options options = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT, .minor = 36};
    assert_int_equal(policyview_new(json, &policy, &err), 0);
    options.shared = m == NULL ? NULL : memories_types(m);
    struct check *c = check_new(policy, discovery, &options);
    if (m != NULL)
        memories_use(m, "p", policy, c);
    *warnings = check_run(c, env, lookup, NULL)->n_warnings;
    const uint64_t steps = check_steps(c);
    check_free(c);
    policyview_free(policy);
    json_object_put(json);
    return steps;
}

static uint64_t few_steps; /* those of a check of one type are fewer */

/* Returns true if all types were checked. */
static bool checks_all(struct memories *m, int generation, size_t warnings)
{
    size_t found;
    const bool is_long = count_steps(m, generation, &found) > few_steps;
    assert_int_equal(found, warnings);
    return is_long;
}

static int begin(void **state)
{
    env = env_new(36, celgo_in(36));
    revision = env_revision = 0;
    n_retired = 0;
    serve(KINDS, "integer");
    *state = memories_new(NULL);
    size_t warnings;
    const uint64_t all = count_steps(*state, 1, &warnings), none = count_steps(*state, 1, &warnings);
    few_steps = (all + none) / 2;
    memories_forget(*state, "p");
    return none >= few_steps;
}

static int end(void **state)
{
    memories_free(*state);
    serve(1, "integer");
    while (n_retired > 0) {
        n_retired--;
        retired[n_retired].free_object(retired[n_retired].object);
    }
    discovery_free(discovery);
    schema_free(schema);
    env_free(env);
    discovery = NULL;
    schema = NULL;
    return 0;
}

/* The policy is checked on what has changed alone; once all is another, on all. */
static void test_what_is_checked(void **state)
{
    assert_true(checks_all(*state, 1, 0));
    assert_false(checks_all(*state, 1, 0));
    serve(KINDS - 1, "integer");
    assert_false(checks_all(*state, 1, 0));
    serve(KINDS, "string");
    assert_false(checks_all(*state, 1, 1));
    serve(KINDS, "integer");
    assert_false(checks_all(*state, 1, 0));
    assert_true(checks_all(*state, 2, 0)); /* another spec */
    assert_false(checks_all(*state, 2, 0));
    env_revision++;
    assert_true(checks_all(*state, 2, 0));
    memories_forget(*state, "p");
    assert_true(checks_all(*state, 2, 0));
}

static void test_types_are_shared(void **state)
{
    const struct typesets *types = memories_types(*state);
    assert_ptr_equal(types, memories_types(*state));
    revision++;
    assert_ptr_not_equal(types, memories_types(*state)); /* which is retired, and not freed yet */
}

/* Each change brings a type that was never there: identities that are no longer used are forgotten, and then
 * all is checked anew. */
static void test_many_changes(void **state)
{
    size_t anew = 0;
    for (int i = 0; i < 1200; i++) {
        char type[64];
        snprintf(type, sizeof type, "integer\",\"default\":\"%d", i);
        serve(KINDS, type);
        anew += checks_all(*state, 1, 0);
    }
    assert_in_range(anew, 1, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_checked, begin, end),
        cmocka_unit_test_setup_teardown(test_types_are_shared, begin, end),
        cmocka_unit_test_setup_teardown(test_many_changes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
