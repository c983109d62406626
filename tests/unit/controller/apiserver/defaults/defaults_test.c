#include "controller/apiserver/defaults/defaults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/clusterfields.h"
#include "controller/apiserver/defaults/quantity.h"
#include "typecheck/cel/schema/default_rows.h"
#include "typecheck/cel/schema/schema_document.h"

#define NOW "2024-01-01T00:00:00Z"

/* A Secret, a StorageClass and a custom resource. */
static const char SCHEMAS[] =
    "{'components':{'schemas':{"
    "'io.k8s.api.core.v1.Secret':{'type':'object','properties':{'apiVersion':{'type':'string'},'kind':{'type'"
    ":"
    "'string'},'metadata':{'allOf':[{'$ref':'#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1."
    "ObjectMeta'}]},'type':{'type':'string'},'immutable':{'type':'boolean'},'data':{'type':'object',"
    "'additionalProperties':{'type':'string','format':'byte'}}},'x-kubernetes-group-version-kind':[{'group':'"
    "','version':'v1'"
    ",'kind':"
    "'Secret'}]},"
    "'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta':{'type':'object','properties':{'name':{'type':'string'"
    "},"
    "'namespace':{'type':'string'},'uid':{'type':'string'},'generation':{'type':'integer'},'"
    "creationTimestamp':{'type':"
    "'string'},'labels':{'type':'object','additionalProperties':{'type':'string'}}}},"
    "'com.example.v1.Widget':{'type':'object','properties':{'apiVersion':{'type':'string'},'kind':{'type':'"
    "string'},"
    "'metadata':{'allOf':[{'$ref':'#/components/schemas/"
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}]},'spec':{"
    "'type':'object','default':{},'properties':{'size':{'type':'integer','default':3},'free':{'type':'object'"
    ","
    "'x-kubernetes-preserve-unknown-fields':true},'name':{'type':'string'}}}},'x-kubernetes-group-version-"
    "kind':[{"
    "'group':'example.com','version':'v1','kind':'Widget'}]}}}}";

static struct schema *doc;

static char *with_quotes(const char *text)
{
    char *copy = mem_strdup(text);
    for (char *at = copy; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    return copy;
}

static struct json_object *read(const char *text)
{
    struct json_object *json = NULL;
    struct err err;
    cleanup_mem char *quoted = with_quotes(text);
    assert_int_equal(jsonval_parse(quoted, strlen(quoted), &json, &err), 0);
    return json;
}

static int setup(void **state)
{
    (void)state;
    cleanup_mem char *text = with_quotes(SCHEMAS);
    char message[200];
    doc = schema_new(text, strlen(text), message, sizeof message, NULL);
    assert_non_null(doc);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_free(doc);
    return 0;
}

static struct defaults_kind kind_of(const char *group, const char *name, int minor)
{
    const struct schema_node *root = schema_find(doc, str_of(group), STR("v1"), str_of(name));
    assert_non_null(root);
    return (struct defaults_kind){.type = {doc, root},
                                  .minor = minor,
                                  .is_namespaced = true,
                                  .has_status = true,
                                  .namespace = "default",
                                  .now = NOW};
}

static void assert_json(struct json_object *take_made, const char *expected)
{
    struct json_object *wanted = read(expected);
    if (json_object_equal(take_made, wanted) == 0)
        assert_string_equal(json_object_to_json_string(take_made), json_object_to_json_string(wanted));
    json_object_put(take_made);
    json_object_put(wanted);
}

static void an_object_is_read(void **state)
{
    static const struct {
        const char *group, *kind, *sent, *made;
    } cases[] = {
        {"", "Secret",
         "{'kind':'Secret','metadata':{'name':'a','nope':1,'generation':0},'immutable':false,'data':{},'x':[]"
         "}",
         "{'kind':'Secret','metadata':{'name':'a','namespace':'default'},'immutable':false,'type':'Opaque'}"},
        {"", "Secret", "{'kind':'Secret','metadata':{'namespace':'n'},'type':'t','data':{'a':'eA=='}}",
         "{'kind':'Secret','metadata':{'namespace':'n'},'type':'t','data':{'a':'eA=='}}"},
        {"", "Secret", "{'kind':'Secret','type':'t','data':{'a':'eA\\n=\\r\\n=','b':''}}",
         "{'kind':'Secret','type':'t','data':{'a':'eA==','b':''}}"},
        {"", "Secret", "{'kind':'Secret','type':null}", "{'kind':'Secret','type':'Opaque'}"},
        {"example.com", "Widget", "{'kind':'Widget','metadata':{'labels':{},'nope':1,'generation':0}}",
         "{'kind':'Widget','metadata':{'namespace':'default'},'spec':{'size':3}}"},
        {"example.com", "Widget", "{'kind':'Widget','spec':{'nope':1,'free':{'a':1},'name':null},'more':2}",
         "{'kind':'Widget','spec':{'size':3,'free':{'a':1}}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct defaults_kind kind = kind_of(cases[i].group, cases[i].kind, 37);
        struct json_object *sent = read(cases[i].sent);
        char *problem;
        struct json_object *made = defaults_decode(&kind, sent, &problem),
                           *again = defaults_decode(&kind, made, NULL);
        assert_null(problem);
        assert_true(json_object_equal(made, again)); /* once is enough */
        json_object_put(again);
        assert_json(made, cases[i].made);
        json_object_put(sent);
    }
}

static void what_no_server_reads(void **state)
{
    static const char *const cases[][2] = {
        {"{'immutable':'yes'}", "immutable is \"yes\", and must be a boolean"},
        {"{'metadata':{'labels':{'a':1}}}", "metadata.labels.a is 1, and must be a string"},
        {"{'metadata':{'generation':1.5}}", "metadata.generation is 1.5, and must be an integer"},
        {"{'data':[]}", "data is [], and must be an object"},
        {"{'data':{'a':'eA'}}", "data.a is \"eA\", and must be base64"},
        {"{'metadata':5}", "metadata is 5, and must be an object"},
    };
    struct defaults_kind kind = kind_of("", "Secret", 37);
    (void)state;
    kind.namespace = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_object *sent = read(cases[i][0]);
        char *problem;
        struct json_object *made = defaults_decode(&kind, sent, &problem);
        assert_non_null(problem);
        assert_string_equal(problem, cases[i][1]);
        assert_true(json_object_equal(made, sent));
        mem_free(problem);
        json_object_put(made);
        json_object_put(sent);
    }
}

static void an_object_is_created(void **state)
{
    const struct defaults_kind now = kind_of("", "Secret", 37), before = kind_of("", "Secret", 33),
                               custom = kind_of("example.com", "Widget", 37);
    struct json_object *sent =
        read("{'kind':'Secret','metadata':{'name':'a','uid':'u','deletionTimestamp':'t'}}");
    struct json_object *admitted = defaults_admit(&now, sent, true);
    (void)state;
    assert_json(defaults_create(&now, admitted),
                "{'kind':'Secret','metadata':{'name':'a','uid':'" DEFAULTS_UID "','creationTimestamp':'" NOW
                "'}}");
    assert_json(admitted, "{'kind':'Secret','metadata':{'name':'a'}}");
    assert_json(defaults_admit(&before, sent, true),
                "{'kind':'Secret','metadata':{'name':'a','creationTimestamp':null}}");
    json_object_put(sent);
    sent = read("{'kind':'Widget','metadata':{'generation':7},'spec':{'size':3},'status':1}");
    assert_json(defaults_create(&custom, sent),
                "{'kind':'Widget','metadata':{'generation':1,'uid':'" DEFAULTS_UID
                "','creationTimestamp':'" NOW "'},'spec':{'size':3}}");
    json_object_put(sent);
}

static void an_object_is_updated(void **state)
{
    const struct defaults_kind kind = kind_of("example.com", "Widget", 37);
    struct json_object *old = read("{'metadata':{'generation':4,'uid':'u'},'spec':{'size':3},'status':1}"),
                       *same = read("{'metadata':{'labels':{}},'spec':{'size':3},'status':2}"),
                       *other = read("{'metadata':{},'spec':{'size':4}}");
    (void)state;
    assert_json(defaults_update(&kind, same, old, ""),
                "{'metadata':{'labels':{},'generation':4,'uid':'u'},'spec':{'size':3},'status':1}");
    assert_json(defaults_update(&kind, other, old, ""),
                "{'metadata':{'generation':5,'uid':'u'},'spec':{'size':4},'status':1}");
    /* Without a status of its own, all but the metadata counts. */
    struct defaults_kind plain = kind;
    plain.has_status = false;
    assert_json(defaults_update(&plain, same, old, ""),
                "{'metadata':{'labels':{},'generation':5,'uid':'u'},'spec':{'size':3},'status':2}");
    json_object_put(old);
    json_object_put(same);
    json_object_put(other);
}

static void an_object_was_created_before(void **state)
{
    struct defaults_kind kind = kind_of("example.com", "Widget", 37);
    struct json_object *file =
        read("{'kind':'Widget','metadata':{'uid':'u','generation':7},'spec':{'size':3},'status':{'a':1}}");
    (void)state;
    kind.metadata = jsonval_get(file, "metadata");
    assert_json(defaults_stored(&kind, file),
                "{'kind':'Widget','metadata':{'generation':7,'uid':'u','creationTimestamp':'" NOW
                "'},'spec':{'size':3},'status':{'a':1}}");
    json_object_put(file);
}

static void what_comes_from_the_cluster(void **state)
{
    struct json_object *service = read("{'apiVersion':'v1','kind':'Service','spec':{'clusterIP':'None'}}"),
                       *secret = read("{'apiVersion':'v1','kind':'Secret'}");
    cleanup_mem char *named = clusterfields_name(service);
    (void)state;
    assert_string_equal(named, "spec.ipFamilies, spec.ipFamilyPolicy");
    assert_null(clusterfields_name(secret));
    json_object_put(service);
    json_object_put(secret);
}

static void rows_are_sorted(void **state)
{
    (void)state;
    const struct default_rows rows = default_rows_all();
    for (size_t i = 1; i < rows.count; i++)
        assert_true(strcmp(rows.list[i - 1].type, rows.list[i].type) <= 0);
}

static void quantities(void **state)
{
    static const char *const sums[][3] = {
        {"1", "500m", "1500m"},    {"500m", "500m", "1"}, {"1Gi", "1Gi", "2Gi"},
        {"512Mi", "512Mi", "1Gi"}, {"1k", "1k", "2k"},    {"1", "1Ki", "1025"},
        {"0", "0", "0"},           {"9E", "9E", NULL},    {"1000000n", "1", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct quantity_sum sum = {0};
        quantity_add(&sum, sums[i][0]);
        quantity_add(&sum, sums[i][1]);
        cleanup_mem char *text = quantity_text(&sum);
        if (sums[i][2] == NULL)
            assert_null(text);
        else
            assert_string_equal(text, sums[i][2]);
    }
    static const char *const valid[] = {"0",   "1",    "+1", "-1.5", ".5", "1.", "1Ki", "1k",
                                        "1e3", "1E-2", "5m", "1E",   " 1", "Ki", "."};
    static const char *const invalid[] = {"", "a", "1K", "1mi", "1e", "1e3m", "1 Gi", "0x1"};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        assert_true(quantity_is_valid(valid[i]));
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        assert_false(quantity_is_valid(invalid[i]));
    assert_true(quantity_is_positive("100m") && quantity_is_positive("0.5") && quantity_is_positive("1Ki"));
    assert_false(quantity_is_positive("0") || quantity_is_positive("") || quantity_is_positive("-1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_is_read),
        cmocka_unit_test(what_no_server_reads),
        cmocka_unit_test(an_object_is_created),
        cmocka_unit_test(an_object_is_updated),
        cmocka_unit_test(an_object_was_created_before),
        cmocka_unit_test(what_comes_from_the_cluster),
        cmocka_unit_test(rows_are_sorted),
        cmocka_unit_test(quantities),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
