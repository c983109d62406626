#include "controller/reconcile/watches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/cache/reflector.h"
#include "client/discovery/discovery_parse.h"
#include "controller/observe/metricfamilies.h"

/* Reflectors as the test scripts them. */
struct reflector {
    char *path;
    struct reflector_options options;
    bool has_synced, is_open;
    uint64_t silent_ms, failing_ms;
    struct err err;
    struct store *store;
    void (*on_closed)(void *user);
    void *close_user;
};

enum { MAX_REFLECTORS = 16 };
static struct reflector reflectors[MAX_REFLECTORS];
static size_t n_reflectors;

struct reflector *reflector_start(struct api *api, const struct reflector_options *options)
{
    (void)api;
    assert_true(n_reflectors < MAX_REFLECTORS);
    struct reflector *r = &reflectors[n_reflectors++];
    *r = (struct reflector){mem_strdup(options->path), *options, .is_open = true, .silent_ms = 1500};
    r->store = store_new(options->on_change, options->user);
    return r;
}

/* The end comes later: close_rest. */
void reflector_close(struct reflector *r, void (*on_closed)(void *user), void *user)
{
    assert_true(r->is_open);
    r->is_open = false;
    r->on_closed = on_closed;
    r->close_user = user;
}

static void close_rest(void)
{
    for (size_t i = 0; i < n_reflectors; i++) {
        struct reflector *r = &reflectors[i];
        assert_false(r->is_open);
        if (r->store == NULL)
            continue;
        store_free(r->store);
        r->store = NULL;
        mem_free(r->path);
        r->on_closed(r->close_user);
    }
}

const struct store *reflector_store(const struct reflector *r)
{
    return r->store;
}

bool reflector_has_synced(const struct reflector *r)
{
    return r->has_synced;
}

uint64_t reflector_silent_ms(const struct reflector *r)
{
    return r->silent_ms;
}

uint64_t reflector_failing_ms(const struct reflector *r)
{
    return r->failing_ms;
}

uint64_t reflector_unreadable(const struct reflector *r)
{
    return r->failing_ms + 3;
}

const struct err *reflector_error(const struct reflector *r)
{
    return r->err.code == ERR_NONE ? NULL : &r->err;
}

static struct watches *w;
static unsigned n_changes, n_synced, n_dropped, n_closed;
static enum watches_id last;

static void on_change(void *user, enum watches_id id, const struct store_object *now,
                      const struct store_object *before)
{
    assert_ptr_equal(user, &w);
    assert_true(now != NULL || before != NULL);
    n_changes++;
    last = id;
}

static void on_synced(void *user)
{
    assert_ptr_equal(user, &w);
    n_synced++;
}

static void on_dropped(void *user, enum watches_id id)
{
    assert_ptr_equal(user, &w);
    n_dropped++;
    last = id;
}

static void on_closed(void *user)
{
    assert_ptr_equal(user, &w);
    n_closed++;
}

static void begin(unsigned asked, bool is_policies_only)
{
    n_reflectors = n_changes = n_synced = n_dropped = n_closed = 0;
    log_set_level(LOG_LEVEL_ERROR);
    w = watches_new(&(struct watches_options){.asked = asked,
                                              .is_policies_only = is_policies_only,
                                              .on_change = on_change,
                                              .on_synced = on_synced,
                                              .on_dropped = on_dropped,
                                              .user = &w});
}

static void end(void)
{
    watches_close(w, on_closed, &w);
    close_rest();
    assert_int_equal(n_closed, 1);
}

static struct reflector *find(enum watches_id id)
{
    /* ORDER WATCHES: as the log and metrics call them. */
    static const char *const names[WATCHES_COUNT] = {"policies",
                                                     "bindings",
                                                     "crds",
                                                     "apiservices",
                                                     "validatingwebhookconfigurations",
                                                     "mutatingwebhookconfigurations",
                                                     "mutatingadmissionpolicies"};
    struct reflector *found = NULL;
    for (size_t i = 0; i < n_reflectors; i++) {
        if (strcmp(reflectors[i].options.name, names[id]) == 0 && reflectors[i].is_open)
            found = &reflectors[i];
    }
    return found;
}

/* What serves MutatingAdmissionPolicies in these versions, up to NULL. */
static struct discovery *serve(const char *const *versions)
{
    struct discovery *discovery;
    struct err err = {0};
    struct buf text;
    buf_init(&text, 4096);
    buf_puts(&text, "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":"
                    "[{\"metadata\":{\"name\":\"admissionregistration.k8s.io\"},\"versions\":[");
    for (size_t i = 0; versions[i] != NULL; i++)
        buf_printf(&text,
                   "%s{\"version\":\"%s\",\"resources\":[{\"resource\":\"mutatingadmissionpolicies\","
                   "\"scope\":\"Cluster\",\"verbs\":[\"list\"],\"responseKind\":{\"kind\":\"K\"}}]}",
                   i == 0 ? "" : ",", versions[i]);
    buf_puts(&text, "]}]}");
    assert_int_equal(discovery_parse(NULL, 0, text.data, text.len, &discovery, &err), 0);
    buf_deinit(&text);
    return discovery;
}

#define SERVE(...) serve((const char *const[]){__VA_ARGS__, NULL})

enum { ASKED = WATCHES_BIT(WATCHES_VALIDATING_WEBHOOKS) | WATCHES_BIT(WATCHES_MUTATING_POLICIES) };

static void test_what_is_watched(void **state)
{
    (void)state;
    struct discovery *d = SERVE("v1");
    begin(0, false);
    watches_start(w, d);
    assert_int_equal(n_reflectors, 4);
    assert_string_equal(find(WATCHES_POLICIES)->path,
                        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies");
    assert_false(find(WATCHES_POLICIES)->options.metadata_only);
    assert_true(find(WATCHES_CRDS)->options.metadata_only);
    assert_true(find(WATCHES_APISERVICES)->options.metadata_only);
    assert_null(watches_store(w, WATCHES_MUTATING_WEBHOOKS));
    end();
    begin(ASKED, false);
    watches_start(w, d);
    assert_int_equal(n_reflectors, 6);
    assert_string_equal(find(WATCHES_VALIDATING_WEBHOOKS)->path,
                        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations");
    assert_null(watches_version(w, WATCHES_MUTATING_WEBHOOKS));
    assert_string_equal(watches_version(w, WATCHES_MUTATING_POLICIES), "v1");
    end();
    begin(ASKED, true);
    watches_start(w, NULL);
    assert_int_equal(n_reflectors, 1);
    end();
    begin(ASKED, false);
    end(); /* never started */
    discovery_free(d);
}

static void test_versions_come_and_go(void **state)
{
    (void)state;
    struct discovery *none = SERVE("v2"), *beta = SERVE("v1alpha1", "v1beta1"),
                     *both = SERVE("v1beta1", "v1");
    const enum watches_id id = WATCHES_MUTATING_POLICIES;
    begin(ASKED, false);
    watches_start(w, none);
    assert_null(watches_version(w, id));
    assert_null(watches_problem(w, id));
    watches_serve(w, none);
    watches_serve(w, beta);
    assert_int_equal(n_dropped, 0);
    assert_string_equal(find(id)->path,
                        "/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies");
    watches_serve(w, beta);
    assert_int_equal(n_reflectors, 6);
    watches_serve(w, both);
    assert_int_equal(n_reflectors, 7);
    assert_int_equal(n_dropped, 1);
    assert_int_equal(last, id);
    assert_string_equal(watches_version(w, id), "v1");
    watches_serve(w, none);
    assert_int_equal(n_dropped, 2);
    assert_null(watches_store(w, id));
    assert_null(watches_version(w, id));
    end(); /* the old ones' closing is waited for, too */
    discovery_free(none);
    discovery_free(beta);
    discovery_free(both);
}

static void put(enum watches_id id, const char *text)
{
    struct err err = {0};
    assert_int_equal(store_put(find(id)->store, text, strlen(text), NULL, &err), 0);
}

static void sync_one(enum watches_id id)
{
    find(id)->has_synced = true;
    find(id)->options.on_synced(find(id)->options.user);
}

static void test_changes_name_their_watch(void **state)
{
    (void)state;
    struct discovery *d = SERVE("v1");
    begin(ASKED, false);
    watches_start(w, d);
    put(WATCHES_MUTATING_POLICIES, "{\"metadata\":{\"name\":\"m\"}}");
    assert_int_equal(last, WATCHES_MUTATING_POLICIES);
    put(WATCHES_CRDS, "{\"metadata\":{\"name\":\"c\"}}");
    assert_int_equal(last, WATCHES_CRDS);
    assert_int_equal(n_changes, 2);
    sync_one(WATCHES_CRDS);
    assert_int_equal(n_synced, 1);
    end();
    discovery_free(d);
}

static bool are_settled(enum err_code wanted)
{
    struct err err = {0};
    bool are = watches_are_settled(w, &err);
    assert_int_equal(err.code, wanted);
    return are;
}

/* The problem of a kind without which nothing is checked. */
static void expect_needed(const char *name, const char *problem)
{
    const char *found = NULL, *why = watches_needed_problem(w, &found);
    if (problem == NULL) {
        assert_null(why);
        return;
    }
    assert_string_equal(found, name);
    assert_string_equal(why, problem);
}

static void set_failing(enum watches_id id, enum err_code code, uint64_t for_ms)
{
    err_set(&find(id)->err, code, "no");
    find(id)->failing_ms = for_ms;
}

/* Those of flags hold up nobody; those that help, for a while; those that are needed, for good. */
static void test_who_is_waited_for(void **state)
{
    (void)state;
    struct discovery *d = SERVE("v1");
    begin(ASKED, false);
    watches_start(w, d);
    expect_needed("policies", "not listed yet");
    assert_false(are_settled(ERR_NONE));
    sync_one(WATCHES_POLICIES);
    expect_needed("bindings", "not listed yet");
    sync_one(WATCHES_BINDINGS);
    expect_needed(NULL, NULL);
    sync_one(WATCHES_APISERVICES);
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_CRDS, ERR_FORBIDDEN, WATCHES_SYNC_MS - 1);
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_CRDS, ERR_FORBIDDEN, WATCHES_SYNC_MS);
    assert_true(are_settled(ERR_NONE));
    end();
    begin(0, false);
    watches_start(w, d);
    set_failing(WATCHES_POLICIES, ERR_NETWORK, WATCHES_SYNC_MS);
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_POLICIES, ERR_GONE, WATCHES_SYNC_MS);
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_POLICIES, ERR_LIMIT, 0); /* a first list that took long, and is tried again */
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_POLICIES, ERR_FORBIDDEN, WATCHES_SYNC_MS - 1);
    assert_false(are_settled(ERR_NONE));
    set_failing(WATCHES_POLICIES, ERR_FORBIDDEN, WATCHES_SYNC_MS);
    assert_false(are_settled(ERR_FORBIDDEN));
    end();
    discovery_free(d);
}

/* A right that is withdrawn, a server that says nothing: what was read once grows old. */
static void test_what_goes_wrong_later(void **state)
{
    (void)state;
    struct discovery *d = SERVE("v1");
    begin(0, false);
    watches_start(w, d);
    sync_one(WATCHES_POLICIES);
    sync_one(WATCHES_BINDINGS);
    expect_needed(NULL, NULL);
    err_set(&find(WATCHES_BINDINGS)->err, ERR_FORBIDDEN, "no more");
    expect_needed("bindings", "no more");
    err_set(&find(WATCHES_BINDINGS)->err, ERR_NETWORK, "gone");
    expect_needed(NULL, NULL);
    find(WATCHES_BINDINGS)->silent_ms = WATCHES_SILENT_MS;
    expect_needed(NULL, NULL);
    find(WATCHES_BINDINGS)->silent_ms++;
    expect_needed("bindings", "the API server has said nothing of them for more than two minutes");
    find(WATCHES_BINDINGS)->silent_ms = 0;
    find(WATCHES_BINDINGS)->failing_ms = WATCHES_FAILING_MS - 1;
    expect_needed(NULL, NULL);
    find(WATCHES_BINDINGS)->failing_ms++;
    expect_needed("bindings", "gone");
    err_clear(&find(WATCHES_BINDINGS)->err);
    expect_needed("bindings", "the API server ends each watch of them at once");
    find(WATCHES_BINDINGS)->failing_ms = 0;
    err_clear(&find(WATCHES_BINDINGS)->err);
    expect_needed(NULL, NULL);
    /* what only helps holds up nobody */
    err_set(&find(WATCHES_CRDS)->err, ERR_FORBIDDEN, "no more");
    expect_needed(NULL, NULL);
    assert_string_equal(watches_problem(w, WATCHES_CRDS), "no more");
    end();
    discovery_free(d);
}

static bool has(const struct metrics *m, const char *line)
{
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    metrics_render(m, &text);
    bool found = strstr(text.data, line) != NULL;
    buf_deinit(&text);
    return found;
}

static void test_problems_and_metrics(void **state)
{
    (void)state;
    struct discovery *d = SERVE("v1");
    struct metrics *m = metricfamilies_new();
    const enum watches_id id = WATCHES_VALIDATING_WEBHOOKS;
    begin(ASKED, false);
    assert_string_equal(watches_problem(w, id), "not listed yet");
    watches_start(w, d);
    assert_string_equal(watches_problem(w, id), "not listed yet");
    err_set(&find(id)->err, ERR_FORBIDDEN, "the server says no");
    find(id)->options.on_error(find(id)->options.user, &find(id)->err);
    assert_string_equal(watches_problem(w, id), "the server says no");
    watches_scrape(w, m);
    assert_true(has(m, "vapcheck_store_synced{resource=\"validatingwebhookconfigurations\"} 0"));
    err_clear(&find(id)->err);
    sync_one(id);
    put(id, "{\"metadata\":{\"name\":\"h\"}}");
    assert_null(watches_problem(w, id));
    /* what was read is as good as ever while the network is away, but not without the right to it */
    err_set(&find(id)->err, ERR_NETWORK, "gone");
    assert_null(watches_problem(w, id));
    err_set(&find(id)->err, ERR_FORBIDDEN, "no more");
    assert_string_equal(watches_problem(w, id), "no more");
    watches_scrape(w, m);
    assert_true(has(m, "vapcheck_store_synced{resource=\"validatingwebhookconfigurations\"} 1"));
    assert_true(has(m, "vapcheck_store_objects{resource=\"validatingwebhookconfigurations\"} 1"));
    assert_true(has(m, "vapcheck_store_objects_left_out{resource=\"validatingwebhookconfigurations\"} 0"));
    assert_true(has(m, "vapcheck_store_objects_unreadable_total{resource=\"policies\"} 3"));
    assert_true(has(m, "vapcheck_watch_silent_seconds{resource=\"validatingwebhookconfigurations\"} 1.5"));
    assert_true(has(m, "vapcheck_watch_failing_seconds{resource=\"validatingwebhookconfigurations\"} 0\n"));
    assert_true(has(m, "vapcheck_store_synced{resource=\"policies\"} 0"));
    assert_false(has(m, "mutatingwebhookconfigurations"));
    end();
    metrics_free(m);
    discovery_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_watched),          cmocka_unit_test(test_versions_come_and_go),
        cmocka_unit_test(test_changes_name_their_watch), cmocka_unit_test(test_who_is_waited_for),
        cmocka_unit_test(test_what_goes_wrong_later),    cmocka_unit_test(test_problems_and_metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
