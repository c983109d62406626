#include "controller/apiserver/crd/crds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "tests/unit/controller/jsontext.h"
#include "tests/unit/linear.h"

/* name is PLURAL.GROUP; versions are names, each a CRD's version that is served. */
static void add(struct crds *crds, const char *plural, const char *group, const char *versions)
{
    cleanup_buf struct buf list;
    buf_init(&list, (size_t)1024 * 1024);
    for (const char *v = versions; *v != '\0';) {
        int n = (int)strcspn(v, " ");
        buf_printf(&list,
                   "%s{\"name\":\"%.*s\",\"served\":true,\"schema\":{\"openAPIV3Schema\":"
                   "{\"type\":\"object\"}}}",
                   list.len == 0 ? "" : ",", n, v);
        v += n + (v[n] == ' ');
    }
    cleanup_mem char *json = mem_printf(
        "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
        "\"metadata\":{\"name\":\"%s.%s\"},\"spec\":{\"group\":\"%s\",\"names\":{\"plural\":\"%s\","
        "\"kind\":\"Thing\"},\"versions\":[%s,{\"name\":\"v0\",\"served\":false}]}}",
        plural, group, group, plural, list.data);
    struct json_object *crd = jsontext_parse(json);
    struct err err = {0};
    if (crds_add(crds, crd, &err) != 0)
        fail_msg("%s", err.msg);
    json_object_put(crd);
}

/* "group:version=resource,resource;version=...": what discovery has. */
static void expect_discovery(const struct crds *crds, const char *served, const char *wanted)
{
    struct json_object *apis = jsontext_parse(served), *all = crds_discovery(crds, apis);
    struct json_object *groups = jsonval_array(all, "items");
    cleanup_buf struct buf shown;
    buf_init(&shown, 4096);
    for (size_t i = 0; i < jsonval_length(groups); i++) {
        struct json_object *group = jsonval_at(groups, i), *versions = jsonval_array(group, "versions");
        buf_printf(&shown, "%s:", jsonval_string_or_empty(jsonval_get(group, "metadata"), "name"));
        for (size_t j = 0; j < jsonval_length(versions); j++) {
            struct json_object *resources = jsonval_array(jsonval_at(versions, j), "resources");
            buf_printf(&shown, " %s=", jsonval_string_or_empty(jsonval_at(versions, j), "version"));
            for (size_t k = 0; k < jsonval_length(resources); k++)
                buf_printf(&shown, "%s%s", k ? "," : "",
                           jsonval_string_or_empty(jsonval_at(resources, k), "resource"));
        }
        buf_putc(&shown, ';');
    }
    assert_string_equal(shown.data, wanted);
    json_object_put(apis);
    json_object_put(all);
}

static void test_order(void **state)
{
    (void)state;
    struct crds *crds = crds_new();
    assert_true(crds_is_empty(crds));
    add(crds, "zs", "b.example.com", "foo v1alpha1 v2 v1beta1 v10 bar v1beta2");
    add(crds, "as", "b.example.com", "v2");
    add(crds, "ms", "b.example.com", "v2");
    add(crds, "xs", "a.example.com", "v1");
    expect_discovery(crds, "{\"items\":[{\"metadata\":{\"name\":\"c\"},\"versions\":[]}]}",
                     "c:;a.example.com: v1=xs;b.example.com: v10=zs v2=as,ms,zs v1beta2=zs v1beta1=zs "
                     "v1alpha1=zs bar=zs foo=zs;");
    crds_free(crds);
}

/* A definition takes the place of one with its name; and of the server's own. */
static void test_replaced(void **state)
{
    (void)state;
    struct crds *crds = crds_new();
    add(crds, "xs", "g.example.com", "v1 v2");
    add(crds, "xs", "g.example.com", "v1");
    expect_discovery(
        crds,
        "{\"items\":[{\"metadata\":{\"name\":\"g.example.com\"},\"versions\":[{\"version\":\"v1\","
        "\"resources\":[{\"resource\":\"xs\"},{\"resource\":\"ys\"}]}]}]}",
        "g.example.com: v1=xs,ys;");
    crds_free(crds);
}

/* What the server has keeps its order, and its versions keep their resources. */
static void test_joined(void **state)
{
    (void)state;
    struct crds *crds = crds_new();
    add(crds, "xs", "g.example.com", "v4 v1 v3");
    add(crds, "as", "g.example.com", "v2");
    add(crds, "zs", "a.example.com", "v1");
    expect_discovery(crds,
                     "{\"items\":[{\"metadata\":{\"name\":\"g.example.com\"},\"versions\":["
                     "{\"version\":\"v3\",\"resources\":[{\"resource\":\"ys\"}]},"
                     "{\"version\":\"v2\",\"resources\":[{\"resource\":\"bs\"},{\"resource\":\"zs\"}]},"
                     "{\"version\":\"v5\",\"resources\":[{\"resource\":\"ys\"}]}]}]}",
                     "g.example.com: v4=xs v3=xs,ys v2=as,bs,zs v5=ys v1=xs;a.example.com: v1=zs;");
    crds_free(crds);
}

static double seconds_of(int count, const void *input)
{
    (void)input;
    struct crds *crds = crds_new();
    struct json_object *apis = jsontext_parse("{\"items\":[]}");
    cleanup_buf struct buf versions;
    buf_init(&versions, (size_t)1024 * 1024);
    for (int i = 0; i < count; i++)
        buf_printf(&versions, "%sv%d", i == 0 ? "" : " ", i + 1);
    add(crds, "xs", "g.example.com", versions.data);
    const clock_t start = clock();
    json_object_put(crds_discovery(crds, apis));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    json_object_put(apis);
    crds_free(crds);
    return seconds;
}

/* The document of each version. */
static double seconds_of_documents(int count, const void *input)
{
    struct crds *crds = crds_new();
    cleanup_buf struct buf versions;
    (void)input;
    buf_init(&versions, (size_t)1024 * 1024);
    for (int i = 1; i <= count; i++)
        buf_printf(&versions, "%sv%d", i == 1 ? "" : " ", i);
    add(crds, "xs", "g.example.com", versions.data);
    const clock_t start = clock();
    for (int i = 1; i <= count; i++) {
        cleanup_mem char *path = mem_printf("apis/g.example.com/v%d", i);
        struct json_object *document = crds_document(crds, path, NULL, NULL);
        assert_non_null(document);
        json_object_put(document);
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    crds_free(crds);
    return seconds;
}

static void test_time_is_linear(void **state)
{
    (void)state;
    assert_linear(seconds_of, NULL, 250);
    assert_linear(seconds_of_documents, NULL, 250);
}

static void test_documents(void **state)
{
    (void)state;
    struct crds *crds = crds_new();
    struct json_object *base =
        jsontext_parse("{\"components\":{\"schemas\":{\"com.example.g.v1.Other\":{}}}}");
    struct json_object *meta = jsontext_parse(
        "{\"components\":{\"schemas\":{\"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\":{\"x\":[{"
        "\"$ref\":\"#/components/schemas/Time\"}]},\"Time\":{\"$ref\":\"#/components/schemas/Time\"},"
        "\"Unused\":{}}}}");
    add(crds, "xs", "g.example.com", "v1");
    assert_null(crds_document(crds, "apis/g.example.com/v2", base, meta));
    assert_null(crds_document(crds, "apis/g.example.com/v0", base, meta));
    struct json_object *document = crds_document(crds, "apis/g.example.com/v1", base, meta);
    struct json_object *schemas = jsonval_get(jsonval_get(document, "components"), "schemas");
    static const char *const names[] = {"com.example.g.v1.Other", "com.example.g.v1.Thing",
                                        "com.example.g.v1.ThingList",
                                        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Time"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(jsonval_get(schemas, names[i]));
    assert_int_equal(json_object_object_length(schemas), sizeof names / sizeof names[0]);
    json_object_put(document);
    json_object_put(base);
    json_object_put(meta);
    crds_free(crds);
}

/* The document that is written is that of the tree. */
static void is_written(const struct crds *crds)
{
    static const char path[] = "apis/g.example.com/v2";
    struct json_object *base =
        jsontext_parse("{\"components\":{\"schemas\":{\"com.example.g.v2.Other\":{},\"a\\\"b\":{}}}}");
    struct json_object *document = crds_document(crds, path, base, NULL);
    cleanup_buf struct buf text;
    buf_init(&text, (size_t)1024 * 1024);
    assert_false(crds_write(crds, "apis/g.example.com/v1", base, NULL, &text));
    assert_true(crds_write(crds, path, base, NULL, &text));
    struct json_object *written = jsontext_parse(text.data);
    assert_true(json_object_equal(written, document));
    json_object_put(written);
    json_object_put(document);
    json_object_put(base);
}

/* The same if the definition was read before; is_text: crds keep the same of it. */
static void is_written_and_read(const struct crds *crds, struct json_object *definition, bool is_text)
{
    static const char path[] = "apis/g.example.com/v2";
    struct crds *others = crds_new();
    struct crds_definition *read = crds_read(definition);
    cleanup_buf struct buf one, two;
    buf_init(&one, (size_t)1024 * 1024);
    buf_init(&two, (size_t)1024 * 1024);
    crds_take(others, read);
    crds_definition_free(read);
    is_written(crds);
    is_written(others);
    assert_true(crds_write(crds, path, NULL, NULL, &one));
    assert_true(crds_write(others, path, NULL, NULL, &two));
    assert_int_equal(strcmp(one.data, two.data) == 0, is_text);
    crds_free(others);
}

/* The whole definition is given back: its schema is kept as text. */
static void test_types_alone(void **state)
{
    (void)state;
    static const char text[] =
        "{\"kind\":\"CustomResourceDefinition\",\"metadata\":{\"name\":\"xs.g.example.com\",\"labels\":{"
        "\"a\":\"b\"}},"
        "\"spec\":{\"group\":\"g.example.com\",\"scope\":\"Namespaced\",\"names\":{\"plural\":\"xs\","
        "\"kind\":\"X\"},"
        "\"versions\":[{\"name\":\"v1\",\"served\":false},{\"name\":\"v2\",\"served\":true,\"subresources\":{"
        "\"status\":{}},\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"description\":\"d\","
        "\"properties\":{"
        "\"spec\":{\"type\":\"object\",\"properties\":{\"description\":{\"type\":\"string\",\"description\":"
        "\"d\","
        "\"default\":\"<1.50>\"},\"n\":{\"type\":\"number\",\"maximum\":1.50}}}}}}}]}}";
    struct crds *crds[] = {crds_new(), crds_new()};
    struct json_object *documents[2], *discoveries[2];
    crds_keep_types(crds[1]);
    for (size_t i = 0; i < 2; i++) {
        struct json_object *json = jsontext_parse(text), *apis = jsontext_parse("{\"items\":[]}");
        struct err err = {0};
        assert_int_equal(crds_add(crds[i], json, &err), 0);
        is_written_and_read(crds[i], json, i == 1);
        json_object_put(json);
        discoveries[i] = crds_discovery(crds[i], apis);
        documents[i] = crds_document(crds[i], "apis/g.example.com/v2", NULL, NULL);
        json_object_put(apis);
        crds_free(crds[i]);
    }
    struct json_object *of[2];
    for (size_t i = 0; i < 2; i++)
        of[i] = jsonval_get(jsonval_get(jsonval_get(documents[i], "components"), "schemas"),
                            "com.example.g.v2.X");
    assert_null(jsonval_get(of[1], "description"));
    json_object_object_del(of[0], "description");
    struct json_object *field = jsonval_get(
        jsonval_get(jsonval_get(jsonval_get(of[0], "properties"), "spec"), "properties"), "description");
    json_object_object_del(field, "description");
    assert_true(json_object_equal(documents[0], documents[1]));
    assert_true(json_object_equal(discoveries[0], discoveries[1]));
    for (size_t i = 0; i < 2; i++) {
        json_object_put(documents[i]);
        json_object_put(discoveries[i]);
    }
}

static void test_what_is_no_definition(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{}", "metadata.name is missing"},
        {"{\"metadata\":{\"name\":\"a\"},\"spec\":[]}", "spec.group is missing"},
        {"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"group\":\"g\"}}", "spec.names.plural is missing"},
        {"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"group\":\"g\",\"names\":{\"plural\":\"p\"}}}",
         "spec.names.kind is missing"},
        {"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"group\":\"g\",\"names\":{\"plural\":\"p\",\"kind\":"
         "\"K\"},"
         "\"versions\":[]}}",
         "spec.versions is missing"},
    };
    struct crds *crds = crds_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = jsontext_parse(rows[i][0]);
        struct err err = {0};
        assert_int_equal(crds_add(crds, json, &err), -1);
        assert_null(crds_read(json));
        assert_string_equal(err.msg, rows[i][1]);
        json_object_put(json);
    }
    assert_true(crds_is_empty(crds));
    crds_free(crds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),       cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_joined),      cmocka_unit_test(test_time_is_linear),
        cmocka_unit_test(test_documents),   cmocka_unit_test(test_what_is_no_definition),
        cmocka_unit_test(test_types_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
