#include "controller/reconcile/cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/discovery/announced.h"
#include "client/discovery/discovery_fetch.h"
#include "client/discovery/polled.h"
#include "tests/unit/client/virtualclock.h"

/*
 * The server, as the test scripts it: what cluster asks of it is defined here
 * instead of in the library. Time is the loop's field; the loop turns only to
 * close handles.
 */
static uv_loop_t loop;

struct api_call {
    bool is_open;
    api_on_reply *on_done;
    void *user;
};

struct discovery_call {
    bool is_open;
    discovery_on_done *on_done;
    void *user;
};

struct openapi {
    struct openapi_options options;
    char triggered[64];
};

static struct api_call version_call;
static struct discovery_call discovery_call;
static struct openapi openapi;

uv_loop_t *api_loop(const struct api *api)
{
    (void)api;
    return &loop;
}

const char *api_server(const struct api *api)
{
    (void)api;
    return "https://server";
}

struct api_call *api_get(struct api *api, const struct api_get *get, api_on_reply *on_done, void *user)
{
    (void)api;
    assert_string_equal(get->path, "/version");
    assert_false(version_call.is_open);
    version_call = (struct api_call){true, on_done, user};
    return &version_call;
}

void api_cancel(struct api_call *call)
{
    if (call != NULL)
        call->is_open = false;
}

struct discovery_call *discovery_fetch(struct api *api, const struct discovery *last,
                                       discovery_on_done *on_done, void *user)
{
    (void)api, (void)last;
    assert_false(discovery_call.is_open);
    discovery_call = (struct discovery_call){true, on_done, user};
    return &discovery_call;
}

void discovery_cancel(struct discovery_call *call)
{
    call->is_open = false;
}

/* discovery's pure part, one resource a group: what cluster_test compares */
struct discovery_private {
    char *name, *kind;
    struct discovery_group group;
    struct discovery_version version;
    struct discovery_resource resource;
};

static struct discovery *make_discovery(const char *group, const char *kind)
{
    struct discovery *d = mem_zalloc(sizeof *d);
    struct discovery_private *p = mem_zalloc(sizeof *p);
    p->name = mem_strdup(group);
    p->kind = mem_strdup(kind);
    p->resource = (struct discovery_resource){.name = "things", .kind = p->kind};
    p->version = (struct discovery_version){.version = "v1", .resources = &p->resource, .n_resources = 1};
    p->group = (struct discovery_group){.name = p->name, .versions = &p->version, .n_versions = 1};
    *d = (struct discovery){.groups = &p->group, .n_groups = 1, .private = p};
    return d;
}

void discovery_free(struct discovery *discovery)
{
    if (discovery == NULL)
        return;
    mem_free(discovery->private->name);
    mem_free(discovery->private->kind);
    mem_free(discovery->private);
    mem_free(discovery);
}

const struct discovery_group *discovery_find_group(const struct discovery *discovery, const char *group)
{
    return strcmp(discovery->groups[0].name, group) == 0 ? &discovery->groups[0] : NULL;
}

bool discovery_equal(const struct discovery *a, const struct discovery *b)
{
    return strcmp(a->groups[0].name, b->groups[0].name) == 0 &&
           strcmp(a->groups[0].versions[0].resources[0].kind, b->groups[0].versions[0].resources[0].kind) ==
               0;
}

struct openapi *openapi_start(struct api *api, const struct openapi_options *options)
{
    (void)api;
    openapi = (struct openapi){.options = *options};
    return &openapi;
}

void openapi_close(struct openapi *o, void (*on_closed)(void *user), void *user)
{
    assert_ptr_equal(o, &openapi);
    on_closed(user);
}

void openapi_trigger(struct openapi *o, const char *group)
{
    snprintf(o->triggered, sizeof o->triggered, "%s", group);
}

uint64_t openapi_revision(const struct openapi *o)
{
    assert_ptr_equal(o, &openapi);
    return 0;
}

/* What the test saw */

static struct cluster *c;
static unsigned n_ready, n_versions;
static char groups[128];
static char failure[ERR_MSG_BYTES];

static void on_ready(void *user)
{
    (void)user;
    n_ready++;
}

static void on_failed(void *user, const struct err *err)
{
    (void)user;
    snprintf(failure, sizeof failure, "%s", err->msg);
}

static void on_group(void *user, const char *group)
{
    (void)user;
    snprintf(groups + strlen(groups), sizeof groups - strlen(groups), "%s ", group);
}

static void on_document(void *user, const char *path)
{
    on_group(user, path);
}

static bool is_document_needed(void *user, const char *path)
{
    (void)user;
    return strcmp(path, "apis/apps/v1") == 0;
}

static void on_version(void *user)
{
    (void)user;
    n_versions++;
}

static void begin(void)
{
    n_ready = n_versions = 0;
    groups[0] = failure[0] = '\0';
    version_call.is_open = discovery_call.is_open = false;
    assert_int_equal(uv_loop_init(&loop), 0);
    c = cluster_start(NULL, &(struct cluster_options){on_ready, on_failed, on_group, on_document, on_version,
                                                      is_document_needed, NULL, 0});
}

static void on_closed(void *user)
{
    *(bool *)user = true;
}

static void end(void)
{
    bool is_closed = false;
    cluster_close(c, on_closed, &is_closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(is_closed);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_false(version_call.is_open);
    assert_false(discovery_call.is_open);
}

static void answer_version(const char *minor)
{
    char body[64];
    int len = snprintf(body, sizeof body, "{\"major\":\"1\",\"minor\":\"%s\",\"gitVersion\":\"v1\"}", minor);
    struct api_reply reply = {.status = 200, .body = body, .len = (size_t)len, .etag = ""};
    assert_true(version_call.is_open);
    version_call.is_open = false;
    version_call.on_done(version_call.user, NULL, &reply);
}

static void fail_version(enum err_code code)
{
    struct err err = {0};
    err_set(&err, code, "scripted");
    assert_true(version_call.is_open);
    version_call.is_open = false;
    version_call.on_done(version_call.user, &err, NULL);
}

/* group NULL: unchanged */
static void answer_discovery(const char *group, const char *kind)
{
    assert_true(discovery_call.is_open);
    discovery_call.is_open = false;
    discovery_call.on_done(discovery_call.user, NULL, group == NULL ? NULL : make_discovery(group, kind));
}

static void fail_discovery(enum err_code code)
{
    struct err err = {0};
    err_set(&err, code, "scripted");
    assert_true(discovery_call.is_open);
    discovery_call.is_open = false;
    discovery_call.on_done(discovery_call.user, &err, NULL);
}

static void read_index(void)
{
    openapi.options.on_index(openapi.options.user, NULL);
}

static void fail_index(enum err_code code)
{
    struct err err = {0};
    err_set(&err, code, "scripted");
    openapi.options.on_index(openapi.options.user, &err);
}

/* Time passes; what is due begins. */
static void pass(uint64_t ms)
{
    virtualclock_skipped_ms += ms;
    uv_run(&loop, UV_RUN_NOWAIT);
}

enum { PERIOD_MS = POLLED_PERIOD_MS * 11 / 10 };

/* As pass, by so much that each value is due. */
static void pass_period(void)
{
    pass(PERIOD_MS);
    assert_true(version_call.is_open);
    assert_true(discovery_call.is_open);
}

static void get_ready(void)
{
    begin();
    answer_version("35");
    answer_discovery("apps", "Deployment");
    read_index();
    assert_int_equal(n_ready, 1);
}

static void expect_kind(const char *kind)
{
    assert_string_equal(cluster_discovery(c)->groups[0].versions[0].resources[0].kind, kind);
}

static void test_the_start(void **state)
{
    (void)state;
    get_ready();
    assert_int_equal(env_level(cluster_env(c)), 35);
    assert_int_equal(cluster_newer_minor(c), 0);
    expect_kind("Deployment");
    openapi.options.on_change(openapi.options.user, "apis/apps/v1");
    assert_string_equal(groups, "apis/apps/v1 ");
    end();
}

static void test_a_server_newer_than_the_tables(void **state)
{
    (void)state;
    begin();
    answer_version("99");
    assert_int_equal(env_level(cluster_env(c)), ENV_NEWEST_LEVEL);
    assert_int_equal(cluster_newer_minor(c), 99);
    end();
}

static void test_a_start_that_fails_for_good(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_TLS, ERR_UNAUTHORIZED, ERR_NOT_FOUND};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        begin();
        fail_version(codes[i]);
        assert_string_equal(failure, "cannot read the server's version: scripted");
        end();
    }
    begin();
    fail_version(ERR_FORBIDDEN);
    assert_string_equal(failure, "cannot read the server's version: the account needs the right to get "
                                 "/version (ClusterRole system:public-info-viewer): scripted");
    end();
    begin();
    answer_version("x");
    assert_non_null(strstr(failure, "names no Kubernetes 1.x"));
    end();
    begin();
    answer_version("35");
    fail_discovery(ERR_PROTOCOL);
    assert_string_equal(failure, "cannot read what the server serves: scripted");
    assert_int_equal(n_ready, 0);
    end();
    begin();
    answer_version("35");
    fail_discovery(ERR_FORBIDDEN);
    assert_string_equal(failure, "cannot read what the server serves: the account needs the right to get "
                                 "/api and /apis (ClusterRole system:discovery): scripted");
    assert_int_equal(n_ready, 0);
    end();
}

/* A server that starts with us is waited for, but not for ever. */
static void test_a_start_that_may_pass(void **state)
{
    (void)state;
    begin();
    fail_version(ERR_NETWORK);
    assert_string_equal(failure, "");
    while (!version_call.is_open)
        uv_run(&loop, UV_RUN_ONCE);
    loop.time += CLUSTER_START_MS;
    fail_version(ERR_NETWORK);
    assert_string_equal(failure, "cannot read the server's version: scripted");
    end();
}

/* What was asked and not answered in time is not waited for: the owner may close in a later turn. */
static void test_a_start_without_an_answer(void **state)
{
    (void)state;
    begin();
    virtualclock_skipped_ms += CLUSTER_ANSWER_MS;
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_string_equal(failure, "no answer to /version from https://server within 30 s");
    assert_false(version_call.is_open);
    end();
    begin();
    answer_version("35");
    virtualclock_skipped_ms += CLUSTER_ANSWER_MS;
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_string_equal(failure, "no answer to discovery from https://server within 30 s");
    assert_false(discovery_call.is_open);
    end();
}

/* An index that may not be read is answered, too: schemas are unknown, and all else goes on. */
static void test_a_start_without_schemas(void **state)
{
    (void)state;
    begin();
    answer_version("35");
    answer_discovery("apps", "Deployment");
    fail_index(ERR_UNAVAILABLE);
    assert_int_equal(n_ready, 0);
    fail_index(ERR_FORBIDDEN);
    assert_int_equal(n_ready, 1);
    pass_period();
    answer_version("35");
    answer_discovery("apps", "Deployment");
    end();
    begin();
    answer_version("35");
    answer_discovery("apps", "Deployment");
    pass(CLUSTER_START_MS);
    fail_index(ERR_UNAVAILABLE);
    assert_string_equal(failure, "cannot read the OpenAPI index: scripted");
    end();
}

/* Whoever does not answer keeps nobody else's answer away. */
static void test_a_request_that_hangs_stops_no_other(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    for (int i = 0; i < 3; i++) {
        answer_discovery(NULL, NULL);
        pass(PERIOD_MS);
    }
    answer_version("35");
    for (int i = 0; i < 3; i++) {
        pass(PERIOD_MS);
        answer_version("35");
    }
    end();
}

static void test_a_change_counts_when_two_reads_agree(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    answer_discovery("apps", "Other");
    assert_string_equal(groups, "");
    pass(POLLED_CONFIRM_MS - 100);
    assert_false(discovery_call.is_open);
    expect_kind("Deployment");
    const uint64_t revision = cluster_revision(c);
    pass(100);
    answer_discovery("apps", "Other");
    assert_string_equal(groups, "apps ");
    expect_kind("Other");
    assert_int_not_equal(cluster_revision(c), revision);
    end();
}

static void test_a_change_that_goes_again_never_was(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    answer_discovery("apps", "Other");
    pass(POLLED_CONFIRM_MS);
    answer_discovery(NULL, NULL);
    pass(PERIOD_MS);
    answer_discovery("apps", "Other");
    assert_string_equal(groups, "");
    /* nor does a third one agree with the second */
    pass(POLLED_CONFIRM_MS);
    answer_discovery("apps", "Third");
    assert_string_equal(groups, "");
    expect_kind("Deployment");
    end();
}

static void test_an_announced_change_counts_at_once(void **state)
{
    (void)state;
    get_ready();
    pass(1000);
    assert_false(cluster_is_settling(c));
    cluster_trigger(c, "apps");
    assert_true(cluster_is_settling(c));
    assert_string_equal(openapi.triggered, "apps");
    pass(TIMER_LEAST_MS);
    answer_discovery("apps", "Other");
    assert_string_equal(groups, "apps ");
    /* but for a while only */
    pass(ANNOUNCED_MS);
    assert_false(cluster_is_settling(c));
    answer_discovery("apps", "Third");
    assert_string_equal(groups, "apps ");
    end();
}

/* Definitions that come faster than anything is read, for longer than anything may wait. */
static void test_a_storm_of_announcements_delays_nothing(void **state)
{
    (void)state;
    unsigned readings = 0;
    get_ready();
    pass(1000);
    for (int i = 0; i < 50; i++) {
        char group[16];
        snprintf(group, sizeof group, "g%d", i);
        cluster_trigger(c, group);
        pass(120);
        if (!discovery_call.is_open)
            continue;
        readings++;
        answer_discovery(NULL, NULL);
    }
    assert_in_range(readings, 15, 25);
    end();
}

/* A schema that is missed is looked for once, and again when its group changed. */
static void test_a_missed_schema_is_a_trigger(void **state)
{
    (void)state;
    get_ready();
    cluster_miss(c, "apps");
    assert_string_equal(openapi.triggered, "apps");
    openapi.triggered[0] = '\0';
    cluster_miss(c, "apps");
    assert_string_equal(openapi.triggered, "");
    pass(POLLED_EAGER_MS);
    answer_discovery("apps", "Other");
    assert_string_equal(groups, "apps ");
    cluster_miss(c, "apps");
    assert_string_equal(openapi.triggered, "apps");
    end();
}

/* The group that goes was not announced, the one that comes was. */
static void test_every_change_must_be_announced(void **state)
{
    (void)state;
    get_ready();
    cluster_trigger(c, "new");
    pass(POLLED_EAGER_MS);
    answer_discovery("new", "Thing");
    assert_string_equal(groups, "");
    cluster_trigger(c, "apps");
    pass(POLLED_EAGER_MS);
    answer_discovery("new", "Thing");
    assert_string_equal(groups, "new apps ");
    end();
}

static void test_a_failed_read_changes_nothing(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    fail_discovery(ERR_UNAVAILABLE);
    expect_kind("Deployment");
    assert_string_equal(groups, "");
    end();
}

/* What is not in it may be served by now, until it is read again; then everything is checked again. */
static void test_a_discovery_that_is_old(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    fail_discovery(ERR_UNAVAILABLE);
    assert_true(discovery_is_whole(cluster_discovery(c)));
    const uint64_t first = cluster_revision(c);
    pass(CLUSTER_OLD_MS - PERIOD_MS + 1);
    fail_discovery(ERR_UNAVAILABLE);
    assert_false(discovery_is_whole(cluster_discovery(c)));
    assert_int_equal(n_versions, 0);
    const uint64_t old = cluster_revision(c);
    assert_int_not_equal(old, first);
    pass(PERIOD_MS);
    answer_discovery(NULL, NULL);
    assert_true(discovery_is_whole(cluster_discovery(c)));
    assert_int_not_equal(cluster_revision(c), old);
    assert_int_equal(n_versions, 1);
    /* news since then: at once */
    cluster_trigger(c, "apps");
    pass(POLLED_EAGER_MS);
    fail_discovery(ERR_PROTOCOL);
    assert_false(discovery_is_whole(cluster_discovery(c)));
    expect_kind("Deployment");
    end();
}

/* A part is known, and then all. */
static void test_a_discovery_that_becomes_whole(void **state)
{
    (void)state;
    begin();
    answer_version("35");
    struct discovery *part = make_discovery("apps", "Deployment");
    part->partial = "/apis is long";
    discovery_call.is_open = false;
    discovery_call.on_done(discovery_call.user, NULL, part);
    read_index();
    assert_int_equal(n_ready, 1);
    assert_false(discovery_is_whole(cluster_discovery(c)));
    pass_period();
    answer_discovery("apps", "Deployment");
    assert_true(discovery_is_whole(cluster_discovery(c)));
    assert_int_equal(n_versions, 1);
    assert_string_equal(groups, "");
    end();
}

static void test_a_new_version_is_confirmed(void **state)
{
    (void)state;
    get_ready();
    pass_period();
    answer_version("36");
    assert_int_equal(n_versions, 0);
    /* another server behind the same address */
    pass(POLLED_CONFIRM_MS);
    answer_version("35");
    pass(PERIOD_MS);
    answer_version("36");
    assert_int_equal(n_versions, 0);
    const uint64_t revision = cluster_env_revision(c);
    pass(POLLED_CONFIRM_MS);
    answer_version("36");
    assert_int_equal(n_versions, 1);
    assert_int_not_equal(cluster_env_revision(c), revision);
    assert_int_equal(env_level(cluster_env(c)), 36);
    pass(PERIOD_MS);
    fail_version(ERR_NETWORK);
    assert_int_equal(n_versions, 1);
    end();
}

static void *derive(const char *path, const char *bytes, size_t len, struct err *err)
{
    const struct openapi_options *o = &openapi.options;
    void *derivation = o->begin(o->user, bytes, len);
    while (o->step(derivation))
        continue;
    return o->end(derivation, path, err);
}

/* What OpenAPI documents become, and which of them stay, as openapi asks. */
static void test_documents(void **state)
{
    (void)state;
    static const char document[] = "{\"components\":{\"schemas\":{\"A\":{\"type\":7}}}}";
    const struct openapi_options *o = &openapi.options;
    struct err err = {0};
    get_ready();
    void *derived = derive("apis/apps/v1", "{}", 2, &err);
    assert_non_null(derived);
    o->destroy(o->user, derived);
    assert_null(derive("apis/apps/v1", document, sizeof document - 1, &err));
    assert_string_equal(err.msg, "apis/apps/v1: components.schemas.A.type: not a string");
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_null(o->end(o->begin(o->user, "{}", 2), "apis/apps/v1", NULL)); /* before its last step */
    /* only the length is looked at */
    assert_null(derive("apis/apps/v1", "{}", (size_t)50 * 1000 * 1000, &err));
    assert_string_equal(err.msg,
                        "apis/apps/v1: the document has 50000000 bytes, more than the limit of 16777216");
    assert_int_equal(err.code, ERR_LIMIT);
    assert_true(o->is_needed(o->user, "apis/apps/v1"));
    assert_false(o->is_needed(o->user, "apis/batch/v1"));
    end();
}

static void test_closing_cancels(void **state)
{
    (void)state;
    begin();
    assert_true(version_call.is_open);
    end();
    begin();
    answer_version("35");
    assert_true(discovery_call.is_open);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_start),
        cmocka_unit_test(test_a_server_newer_than_the_tables),
        cmocka_unit_test(test_a_start_that_fails_for_good),
        cmocka_unit_test(test_a_start_that_may_pass),
        cmocka_unit_test(test_a_start_without_an_answer),
        cmocka_unit_test(test_a_start_without_schemas),
        cmocka_unit_test(test_a_request_that_hangs_stops_no_other),
        cmocka_unit_test(test_a_storm_of_announcements_delays_nothing),
        cmocka_unit_test(test_a_change_counts_when_two_reads_agree),
        cmocka_unit_test(test_a_change_that_goes_again_never_was),
        cmocka_unit_test(test_an_announced_change_counts_at_once),
        cmocka_unit_test(test_a_missed_schema_is_a_trigger),
        cmocka_unit_test(test_every_change_must_be_announced),
        cmocka_unit_test(test_a_failed_read_changes_nothing),
        cmocka_unit_test(test_a_discovery_that_is_old),
        cmocka_unit_test(test_a_discovery_that_becomes_whole),
        cmocka_unit_test(test_a_new_version_is_confirmed),
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_closing_cancels),
    };
    log_set_level(LOG_LEVEL_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
