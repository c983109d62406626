#include "client/discovery/discovery_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "tests/unit/client/discovery/discoverytext.h"

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

static struct discovery_reader *begin_reading(void)
{
    return discovery_reader_new(&(struct discovery_reader_text){.bytes = core, .len = sizeof core - 1},
                                &(struct discovery_reader_text){.bytes = apps, .len = sizeof apps - 1});
}

/* Slices of every size give the same; reading may end behind any of them. */
static void test_slices(void **state)
{
    enum { MANY = 10000 };
    static const size_t slices[] = {1, 2, 3, 7, 100, 256, 1000, MANY};
    (void)state;
    struct discovery *whole = parse(core, apps);
    size_t least = MANY;
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        struct discovery_reader *r = begin_reading();
        struct discovery *d;
        struct err err;
        size_t steps = 1;
        while (discovery_reader_step(r, slices[i]))
            steps++;
        assert_true(steps <= least);
        least = steps;
        assert_int_equal(discovery_reader_end(r, &d, &err), 0);
        assert_true(discovery_equal(d, whole));
        discovery_free(d);
    }
    assert_true(least < 5);
    for (size_t given_up = 0; given_up < sizeof core + sizeof apps; given_up++) {
        struct discovery_reader *r = begin_reading();
        for (size_t i = 0; i < given_up; i++)
            (void)discovery_reader_step(r, 1);
        (void)discovery_reader_end(r, NULL, NULL);
    }
    discovery_free(whole);
}

/* No step takes much longer than the others, whatever the shape. */
static void test_a_large_one_takes_many_steps(void **state)
{
    enum { KINDS = 10000, SMALL = 1024, STEPS = KINDS * 60 / SMALL };
    (void)state;
    for (int per_group = 1; per_group <= KINDS; per_group *= KINDS) {
        struct buf text;
        buf_init(&text, DISCOVERY_CAP_BYTES);
        buf_puts(&text, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
        for (int i = 0; i < KINDS; i++) {
            if (i % per_group == 0)
                buf_printf(
                    &text,
                    "%s{\"metadata\":{\"name\":\"g%d\"},\"versions\":[{\"version\":\"v1\",\"resources\":[",
                    i == 0 ? "" : "]}]},", i);
            buf_printf(&text, "%s{\"resource\":\"r%d\",\"responseKind\":{\"kind\":\"K\"}}",
                       i % per_group == 0 ? "" : ",", i);
        }
        assert_int_equal(buf_puts(&text, "]}]}]}"), 0);
        struct discovery_reader *r =
            discovery_reader_new(&(struct discovery_reader_text){.bytes = NULL},
                                 &(struct discovery_reader_text){.bytes = text.data, .len = text.len});
        struct discovery *d;
        struct err err;
        size_t steps = 1;
        while (discovery_reader_step(r, SMALL))
            steps++;
        assert_true(steps > STEPS);
        assert_int_equal(discovery_reader_end(r, &d, &err), 0);
        assert_int_equal(d->n_groups, KINDS / per_group);
        discovery_free(d);
        buf_deinit(&text);
    }
}

static struct discovery *read_texts(const struct discovery_reader_text *groups)
{
    const struct discovery_reader_text none = {.bytes = NULL};
    struct discovery_reader *r = discovery_reader_new(&none, groups);
    struct discovery *d;
    struct err err;
    while (discovery_reader_step(r, 100))
        continue;
    return discovery_reader_end(r, &d, &err) == 0 ? d : NULL;
}

/* Wherever it is cut off: the groups that are whole are known, and that there may be others. */
static void test_a_document_that_is_cut_off(void **state)
{
    (void)state;
    struct discovery *whole = parse(NULL, apps);
    assert_true(discovery_is_whole(whole));
    size_t most = 0;
    for (size_t len = 0; len < sizeof apps; len++) {
        cleanup_mem char *text = mem_strndup(apps, len);
        struct discovery *d = read_texts(&(struct discovery_reader_text){
            .bytes = text, .len = len, .is_cut = true, .missing = "/apis is long", .path = "/apis"});
        assert_string_equal(d->partial, "/apis is long");
        assert_false(discovery_is_whole(d));
        assert_true(d->n_groups >= most && d->n_groups <= whole->n_groups);
        most = d->n_groups;
        for (size_t i = 0; i < d->n_groups; i++)
            assert_string_equal(d->groups[i].name, whole->groups[i].name);
        discovery_free(d);
    }
    assert_int_equal(most, whole->n_groups);
    discovery_free(whole);
}

/* Where a path is given, what is wrong with one document is no reason to know nothing. */
static void test_a_document_that_cannot_be_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{", "[]", "{\"kind\":\"Status\"}", "nonsense"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct discovery_reader_text bad = {
            .bytes = texts[i], .len = strlen(texts[i]), .path = "/apis"};
        const struct discovery_reader_text good = {.bytes = core, .len = sizeof core - 1, .path = "/api"};
        struct discovery_reader *r = discovery_reader_new(&good, &bad);
        struct discovery *d;
        struct err err;
        while (discovery_reader_step(r, 1000))
            continue;
        assert_int_equal(discovery_reader_end(r, &d, &err), 0);
        assert_memory_equal(d->partial, "/apis cannot be read: ", 22);
        assert_non_null(discovery_find_version(d, "", "v1"));
        discovery_free(d);
    }
}

#define WITH_LENGTH(text) text, sizeof(text) - 1

/* What is written is read as the same. */
static void expect_round_trip(const struct discovery *d)
{
    struct buf halves[DISCOVERY_HALVES];
    struct discovery *again;
    struct err err;
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++) {
        buf_init(&halves[i], DISCOVERY_CAP_BYTES);
        assert_int_equal(discovery_write(d, i, &halves[i]), 0);
    }
    assert_int_equal(
        discovery_parse(halves[0].data, halves[0].len, halves[1].data, halves[1].len, &again, &err), 0);
    assert_true(discovery_equal(d, again));
    discovery_free(again);
    buf_deinit(&halves[0]);
    buf_deinit(&halves[1]);
}

static void test_write(void **state)
{
    (void)state;
    struct discovery *d = parse(core, apps);
    struct discovery *odd = parse(
        NULL, LIST(GROUP("q\\\"\\n", VERSION("v1", "", DEPLOYMENTS "," DEPLOYMENTS)) "," GROUP("none", "")));
    struct discovery *nothing = parse(NULL, NULL);
    struct buf small;
    expect_round_trip(d);
    expect_round_trip(odd);
    expect_round_trip(nothing);
    buf_init(&small, 200);
    assert_int_equal(discovery_write(d, DISCOVERY_GROUPS, &small), -1);
    buf_deinit(&small);
    discovery_free(d);
    discovery_free(odd);
    discovery_free(nothing);
}

/* The older form says which version is preferred; the newer one has it first. */
static void test_write_from_the_older_form(void **state)
{
    (void)state;
    const struct discovery_legacy_document documents[] = {
        {"/apis",
         WITH_LENGTH(
             "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"g\",\"versions\":[{\"version\":\"v2\"},"
             "{\"version\":\"v1\"}],\"preferredVersion\":{\"version\":\"v1\"}}]}")},
        {"/apis/g/v1",
         WITH_LENGTH("{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"r\",\"kind\":\"R\"}]}")},
    };
    struct discovery *d, *again;
    struct err err;
    cleanup_buf struct buf text;
    buf_init(&text, DISCOVERY_CAP_BYTES);
    assert_int_equal(discovery_legacy_parse(documents, 2, &d, &err), 0);
    assert_int_equal(discovery_write(d, DISCOVERY_GROUPS, &text), 0);
    assert_int_equal(discovery_parse(NULL, 0, text.data, text.len, &again, &err), 0);
    const struct discovery_group *g = discovery_find_group(again, "g");
    assert_string_equal(g->preferred_version, "v1");
    assert_int_equal(g->n_versions, 2);
    assert_int_equal(g->versions[0].state, DISCOVERY_CURRENT);
    assert_string_equal(discovery_find_resource(&g->versions[0], "r", NULL)->kind, "R");
    assert_int_equal(g->versions[1].state, DISCOVERY_FAILED);
    discovery_free(d);
    discovery_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_document_that_is_cut_off),
        cmocka_unit_test(test_a_document_that_cannot_be_read),
        cmocka_unit_test(test_aggregated),
        cmocka_unit_test(test_unknown_is_not_absent),
        cmocka_unit_test(test_what_is_no_discovery),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_a_large_one_takes_many_steps),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_write_from_the_older_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
