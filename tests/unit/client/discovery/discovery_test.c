#include "client/discovery/discovery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "tests/unit/client/loopback.h"
#define VERSION(version, more, resources)                                                                    \
    "{\"version\":\"" version "\"," more "\"resources\":[" resources "]}"
#define GROUP(name, versions) "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[" versions "]}"
#define LIST(items)                                                                                          \
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[" items "]}"
#define DEPLOYMENTS                                                                                          \
    "{\"resource\":\"deployments\",\"responseKind\":{\"group\":\"\",\"version\":\"\",\"kind\":"              \
    "\"Deployment\"},"                                                                                       \
    "\"scope\":\"Namespaced\",\"singularResource\":\"deployment\",\"verbs\":[\"get\",\"create\"],"           \
    "\"shortNames\":[\"deploy\"],\"subresources\":[{\"subresource\":\"scale\",\"responseKind\":{\"group\":"  \
    "\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"},\"verbs\":[\"update\"]},{\"subresource\":"       \
    "\"odd\"}]}"

static const char core[] = LIST("{\"metadata\":{},\"versions\":[" VERSION(
    "v1", "",
    "{\"resource\":\"nodes\",\"responseKind\":{\"kind\":\"Node\"},\"scope\":\"Cluster\",\"verbs\":[]}") "]}");
static const char apps[] = LIST(GROUP("apps", VERSION("v1", "", DEPLOYMENTS)) "," GROUP(
    "z.io",
    VERSION("v2", "\"freshness\":\"Stale\",", "") "," VERSION("v1", "\"freshness\":\"Current\",", "")));

static struct discovery *parse(const char *a, const char *b)
{
    struct discovery *d;
    struct err err;
    if (discovery_parse(a, a ? strlen(a) : 0, b, b ? strlen(b) : 0, &d, &err) != 0)
        fail_msg("%s", err.msg);
    return d;
}

static void test_aggregated(void **state)
{
    (void)state;
    struct discovery *d = parse(core, apps);
    assert_int_equal(d->n_groups, 3);
    assert_string_equal(d->groups[0].name, "");
    assert_string_equal(d->groups[2].preferred_version, "v2");
    const struct discovery_version *v = discovery_find_version(d, "apps", "v1");
    assert_int_equal(v->state, DISCOVERY_CURRENT);
    const struct discovery_resource *r = discovery_find_resource(v, "deployments", NULL);
    assert_string_equal(r->kind, "Deployment");
    assert_string_equal(r->group, "apps");
    assert_string_equal(r->version, "v1");
    assert_string_equal(r->singular, "deployment");
    assert_true(r->is_namespaced);
    assert_string_equal(r->short_names[0], "deploy");
    assert_true(discovery_has_verb(r, "create"));
    assert_false(discovery_has_verb(r, "delete"));
    r = discovery_find_resource(v, "deployments", "scale");
    assert_string_equal(r->group, "autoscaling");
    assert_string_equal(r->kind, "Scale");
    r = discovery_find_resource(v, "deployments", "odd");
    assert_string_equal(r->kind, "");
    assert_string_equal(r->group, "apps");
    assert_null(discovery_find_resource(v, "deployments", "nope"));
    assert_null(discovery_find_resource(v, "nope", "scale"));
    r = discovery_find_resource(discovery_find_version(d, "", "v1"), "nodes", "");
    assert_false(r->is_namespaced);
    assert_string_equal(r->version, "v1");
    assert_null(discovery_find_version(d, "apps", "v2"));
    assert_null(discovery_find_group(d, "nope"));
    discovery_free(d);
}

static void test_unknown_is_not_absent(void **state)
{
    (void)state;
    struct discovery *d = parse(core, apps);
    assert_int_equal(discovery_find_version(d, "z.io", "v2")->state, DISCOVERY_FAILED);
    assert_int_equal(discovery_find_version(d, "z.io", "v1")->state, DISCOVERY_CURRENT);
    discovery_free(d);
}

static void test_merge_keeps_what_was_known(void **state)
{
    (void)state;
    struct discovery *older = parse(core, apps);
    struct discovery *newer =
        parse(core, LIST(GROUP("apps", VERSION("v1", "\"freshness\":\"Stale\",", "")) "," GROUP(
                        "y.io", VERSION("v1", "\"freshness\":\"Stale\",", ""))));
    struct discovery *d = discovery_merge(newer, older);
    discovery_free(newer);
    discovery_free(older);
    const struct discovery_version *v = discovery_find_version(d, "apps", "v1");
    assert_int_equal(v->state, DISCOVERY_STALE);
    assert_string_equal(discovery_find_resource(v, "deployments", "scale")->kind, "Scale");
    assert_int_equal(discovery_find_version(d, "y.io", "v1")->state, DISCOVERY_FAILED);
    assert_null(discovery_find_group(d, "z.io"));
    discovery_free(d);
}

static void test_equal(void **state)
{
    (void)state;
    struct discovery *a = parse(core, apps);
    struct discovery *b = discovery_merge(a, NULL);
    struct discovery *c = parse(core, NULL);
    struct discovery *d = parse(core, LIST(GROUP("apps", VERSION("v1", "", DEPLOYMENTS))));
    assert_true(discovery_equal(a, b));
    assert_false(discovery_equal(a, c));
    assert_false(discovery_equal(a, d));
    discovery_free(a);
    discovery_free(b);
    discovery_free(c);
    discovery_free(d);
}

static void test_what_is_no_discovery(void **state)
{
    (void)state;
    struct discovery *d;
    struct err err = {0};
    assert_int_equal(discovery_parse("{\"kind\":\"Status\"}", 17, NULL, 0, &d, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_non_null(strstr(err.msg, "Status"));
    assert_int_equal(discovery_parse(core, sizeof core - 1, "{", 1, &d, &err), -1);
    assert_null(d);
}

static const struct discovery_document legacy[] = {
    {"/api", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}", 40},
    {"/apis",
     "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"apps\",\"versions\":[{\"groupVersion\":\"apps/"
     "v1\",\"version\":"
     "\"v1\"},{\"groupVersion\":\"apps/"
     "v1beta1\",\"version\":\"v1beta1\"}],\"preferredVersion\":{\"version\":\"v1\"}}]}",
     0},
    {"/api/v1",
     "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"pods/"
     "eviction\",\"namespaced\":true,"
     "\"group\":\"policy\",\"version\":\"v1\",\"kind\":\"Eviction\",\"verbs\":[\"create\"]},{\"name\":"
     "\"pods\","
     "\"singularName\":\"pod\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\"],\"shortNames\":["
     "\"po\"]},"
     "{\"name\":\"pods/log\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\"]}]}",
     0},
    {"/apis/apps/v1", "{\"kind\":\"APIResourceList\",\"resources\":[]}", 0},
    {"/apis/apps/v1beta1", NULL, 0},
};

static void test_legacy(void **state)
{
    (void)state;
    struct discovery_document documents[5];
    struct discovery *d;
    struct err err;
    for (size_t i = 0; i < 5; i++) {
        documents[i] = legacy[i];
        documents[i].len = legacy[i].bytes ? strlen(legacy[i].bytes) : 0;
    }
    assert_int_equal(discovery_parse_legacy(documents, 5, &d, &err), 0);
    const struct discovery_version *v = discovery_find_version(d, "", "v1");
    assert_int_equal(v->n_resources, 1);
    const struct discovery_resource *r = discovery_find_resource(v, "pods", NULL);
    assert_string_equal(r->singular, "pod");
    assert_string_equal(r->version, "v1");
    assert_int_equal(r->n_subresources, 2);
    r = discovery_find_resource(v, "pods", "eviction");
    assert_string_equal(r->group, "policy");
    assert_string_equal(r->kind, "Eviction");
    assert_int_equal(discovery_find_version(d, "apps", "v1")->state, DISCOVERY_CURRENT);
    assert_int_equal(discovery_find_version(d, "apps", "v1beta1")->state, DISCOVERY_FAILED);
    assert_string_equal(discovery_find_group(d, "apps")->preferred_version, "v1");
    discovery_free(d);
}

/* ---- fetching ---- */

struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct config config;
    struct api *api;
    char url[64];
    int dones;
    struct discovery *found;
    struct err err;
};

static void on_done(void *user, const struct err *err, struct discovery *found)
{
    struct fixture *f = user;
    f->dones++;
    err_copy(&f->err, err);
    f->found = found;
}

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    memset(f, 0, sizeof *f);
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, on_request, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d", f->server.port);
    f->config.server = f->url;
    assert_int_equal(api_new(&f->loop, &f->config, &(struct api_options){.program = "test"}, &f->api, &err),
                     0);
}

static void fetch(struct fixture *f, const struct discovery *last)
{
    const int before = f->dones;
    f->found = NULL;
    discovery_fetch(f->api, last, on_done, f);
    while (f->dones == before)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void close_fixture(struct fixture *f)
{
    loopback_close(&f->server);
    api_close(f->api, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static bool asks_for(const char *request, const char *path)
{
    char line[128];
    snprintf(line, sizeof line, "GET %s HTTP/1.1\r\n", path);
    return strncmp(request, line, strlen(line)) == 0;
}

static void serve_aggregated(struct loopback_peer *peer, const char *request, unsigned number)
{
    assert_non_null(
        strstr(request, "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"));
    const bool is_core = asks_for(request, "/api");
    if (strstr(request, is_core ? "If-None-Match: \"c1\"\r\n" : "If-None-Match: \"g1\"\r\n") &&
        (is_core || number < 4))
        loopback_reply(peer, 304, "", "");
    else if (is_core)
        loopback_reply(peer, 200, "ETag: \"c1\"\r\n", core);
    else
        loopback_reply(peer, 200, "ETag: \"g1\"\r\n", number < 4 ? apps : LIST(""));
}

static void test_fetch_and_fetch_again(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_aggregated);
    fetch(&f, NULL);
    struct discovery *first = f.found;
    assert_int_equal(f.err.code, ERR_NONE);
    assert_int_equal(first->n_groups, 3);
    fetch(&f, first);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_null(f.found);
    /* One half is unchanged, the other is empty now. */
    fetch(&f, first);
    assert_int_equal(f.found->n_groups, 1);
    assert_string_equal(f.found->groups[0].name, "");
    discovery_free(f.found);
    discovery_free(first);
    close_fixture(&f);
}

static void serve_legacy(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    for (size_t i = 0; i < 5; i++) {
        if (asks_for(request, legacy[i].path)) {
            loopback_reply(peer, legacy[i].bytes ? 200 : 503, "", legacy[i].bytes ? legacy[i].bytes : "down");
            return;
        }
    }
    fail_msg("%s", request);
}

static void test_fetch_from_an_old_server(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_legacy);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_int_equal(f.found->n_groups, 2);
    assert_int_equal(discovery_find_version(f.found, "apps", "v1beta1")->state, DISCOVERY_FAILED);
    discovery_free(f.found);
    close_fixture(&f);
}

static void serve_failure(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    loopback_reply(peer, asks_for(request, "/api") ? 200 : 500, "",
                   asks_for(request, "/api") ? core : "broken");
}

static void test_a_failure_is_one(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_failure);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_UNAVAILABLE);
    assert_null(f.found);
    struct discovery_call *call = discovery_fetch(f.api, NULL, on_done, &f);
    uv_run(&f.loop, UV_RUN_NOWAIT);
    discovery_cancel(call);
    close_fixture(&f);
    assert_int_equal(f.dones, 1);
}

/* Groups are found by name, whatever their order; of two of a name the first counts. */
static void test_many_groups(void **state)
{
    (void)state;
    struct buf text;
    char name[16];
    buf_init(&text, 1 << 20);
    buf_puts(&text, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (unsigned i = 0; i < 1001; i++)
        buf_printf(&text, "%s{\"metadata\":{\"name\":\"g%u\"},\"versions\":[{\"version\":\"v%u\"}]}",
                   i ? "," : "", i * 7 % 1000, i);
    buf_puts(&text, "]}");
    struct discovery *d = parse(NULL, text.data);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "g%u", i * 7 % 1000);
        assert_ptr_equal(discovery_find_group(d, name), &d->groups[i]);
    }
    assert_null(discovery_find_group(d, "g1000"));
    assert_null(discovery_find_group(d, ""));
    discovery_free(d);
    buf_deinit(&text);
    assert_null(discovery_find_group(&(struct discovery){0}, ""));
}

/* What would take its square to read is not read, and is unknown. */
static void test_too_many_resources_of_the_older_form(void **state)
{
    (void)state;
    static const char versions[] = "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}";
    for (unsigned more = 0; more < 2; more++) {
        struct buf text;
        struct discovery *d;
        struct err err;
        buf_init(&text, 1 << 20);
        buf_puts(&text, "{\"kind\":\"APIResourceList\",\"resources\":[");
        for (unsigned i = 0; i < DISCOVERY_LEGACY_RESOURCES + more; i++)
            buf_printf(&text, "%s{\"name\":\"r%u\",\"kind\":\"R\"}", i ? "," : "", i);
        buf_puts(&text, "]}");
        const struct discovery_document documents[] = {{"/api", versions, sizeof versions - 1},
                                                       {"/api/v1", text.data, text.len}};
        assert_int_equal(discovery_parse_legacy(documents, 2, &d, &err), 0);
        const struct discovery_version *v = discovery_find_version(d, "", "v1");
        assert_int_equal(v->state, more ? DISCOVERY_FAILED : DISCOVERY_CURRENT);
        assert_int_equal(v->n_resources, more ? 0 : DISCOVERY_LEGACY_RESOURCES);
        discovery_free(d);
        buf_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregated),
        cmocka_unit_test(test_unknown_is_not_absent),
        cmocka_unit_test(test_merge_keeps_what_was_known),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_what_is_no_discovery),
        cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_fetch_and_fetch_again),
        cmocka_unit_test(test_fetch_from_an_old_server),
        cmocka_unit_test(test_a_failure_is_one),
        cmocka_unit_test(test_many_groups),
        cmocka_unit_test(test_too_many_resources_of_the_older_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
