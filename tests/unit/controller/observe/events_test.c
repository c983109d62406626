#include "controller/observe/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/observe/metricfamilies.h"

/* The server as the test scripts it; time is the loop's field. */
static uv_loop_t loop;

struct api_call {
    bool is_open;
    char *body;
    api_on_reply *on_done;
    void *user;
};

enum { MAX_CALLS = 2 * EVENTS_LINE_MAX };
static struct api_call calls[MAX_CALLS];
static size_t n_calls;

uv_loop_t *api_loop(const struct api *api)
{
    (void)api;
    return &loop;
}

struct api_call *api_create(struct api *api, const struct api_write *write, api_on_reply *on_done, void *user)
{
    (void)api;
    assert_true(n_calls < MAX_CALLS);
    assert_string_equal(write->path, "/apis/events.k8s.io/v1/namespaces/default/events");
    calls[n_calls] = (struct api_call){true, mem_strndup(write->body, write->len), on_done, user};
    return &calls[n_calls++];
}

void api_cancel(struct api_call *call)
{
    call->is_open = false;
}

static struct events *events;
static struct metrics *metrics;
static bool busy;

static bool is_busy(void *user)
{
    assert_ptr_equal(user, &busy);
    return busy;
}

static void begin(void)
{
    loop.time = 1000 * 1000;
    n_calls = 0;
    metrics = metricfamilies_new();
    busy = false;
    events = events_new(
        &(struct events_options){.metrics = metrics, .instance = "pod-1", .is_busy = is_busy, .user = &busy});
}

static void end(void)
{
    events_free(events);
    metrics_free(metrics);
    for (size_t i = 0; i < n_calls; i++) {
        assert_false(calls[i].is_open);
        mem_free(calls[i].body);
    }
}

static void answer(size_t call, enum err_code code)
{
    struct err err = {0};
    assert_true(call < n_calls && calls[call].is_open);
    calls[call].is_open = false;
    if (code != ERR_NONE)
        err_set(&err, code, "scripted");
    calls[call].on_done(calls[call].user, code == ERR_NONE ? NULL : &err,
                        code == ERR_NONE ? &(struct api_reply){.status = 201} : NULL);
}

static void answer_all(enum err_code code)
{
    for (size_t i = 0; i < n_calls; i++) {
        if (calls[i].is_open)
            answer(i, code);
    }
}

static void send_about_one(const char *policy, const char *uid)
{
    events_send(events, &(struct event){.about = {"admissionregistration.k8s.io/v1",
                                                  "ValidatingAdmissionPolicy", policy, uid},
                                        .is_warning = true,
                                        .reason = "WarningsFound",
                                        .action = "TypeCheck",
                                        .note = "1 of 1"});
}

static void send_about(const char *policy)
{
    send_about_one(policy, "u");
}

static void expect_count(const char *result, unsigned value)
{
    cleanup_mem char *line = mem_printf("\nvapcheck_events_total{result=\"%s\"} %u\n", result, value);
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    metrics_render(metrics, &text);
    assert_non_null(strstr(text.data, line));
    buf_deinit(&text);
}

static void test_an_event_as_json(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text, EVENTS_BODY_CAP_BYTES);
    events_render(&text,
                  &(struct event){
                      .about = {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "p", "uid-1"},
                      .reason = "WarningsResolved",
                      .action = "TypeCheck",
                      .note = "no \"warnings\"\x1b]0;t\x07\xe2\x80\xae"},
                  "pod-1", 1763718602000123LL, 0x1879fcb953f74478ULL);
    assert_string_equal(
        text.data,
        "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"metadata\":{\"name\":"
        "\"p.1879fcb953f74478\",\"namespace\":\"default\"},\"eventTime\":\"2025-11-21T09:50:02.000123Z\","
        "\"type\":\"Normal\",\"reason\":\"WarningsResolved\",\"action\":\"TypeCheck\","
        "\"note\":\"no "
        "\\\"warnings\\\"\\\\x1b]0;t\\\\x07\\\\u202e\",\"reportingController\":\"vapcheck-controller\","
        "\"reportingInstance\":\"pod-1\",\"regarding\":{\"apiVersion\":\"admissionregistration.k8s.io/v1\","
        "\"kind\":\"ValidatingAdmissionPolicy\",\"name\":\"p\",\"uid\":\"uid-1\"}}");
    buf_deinit(&text);
}

/* What the API server limits is cut: the note at a whole character, the name before the time. */
static void test_long_texts_are_cut(void **state)
{
    (void)state;
    struct buf text;
    struct err err = {0};
    cleanup_json struct json_object *json = NULL;
    char note[4000], name[254], instance[300];
    for (size_t i = 0; i + 2 < sizeof note; i += 2)
        memcpy(note + i, "\xc3\xa9", 3);
    memcpy(note, "\"\n", 2);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(instance, 'i', sizeof instance - 1);
    instance[sizeof instance - 1] = '\0';
    buf_init(&text, EVENTS_BODY_CAP_BYTES);
    memmove(note + 1, note, sizeof note - 1); /* characters end at odd lengths */
    events_render(
        &text,
        &(struct event){.about = {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", name, "u"},
                        .reason = "R",
                        .action = "A",
                        .note = note},
        instance, 1763718602000123LL, 0x1879fcb953f74478ULL);
    assert_false(text.is_full);
    assert_int_equal(jsonval_parse(text.data, text.len, &json, &err), 0);
    const char *found = jsonval_string_or_empty(jsonval_get(json, "metadata"), "name");
    assert_int_equal(strlen(found), 253);
    assert_string_equal(found + 253 - 17, ".1879fcb953f74478");
    assert_int_equal(strlen(jsonval_string_or_empty(json, "note")), 1023);
    assert_int_equal(strlen(jsonval_string_or_empty(json, "reportingInstance")), 128);
    assert_string_equal(jsonval_string_or_empty(jsonval_get(json, "regarding"), "name"), name);
    buf_deinit(&text);
}

/* The API server takes no label of a name that is empty or ends in a dash. */
static void test_a_name_is_cut_where_it_may_end(void **state)
{
    (void)state;
    static const char *const cuts[] = {"nn.", "nn-", "n.-", "---"};
    char name[254];
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct buf text;
        buf_init(&text, EVENTS_BODY_CAP_BYTES);
        memset(name, 'n', sizeof name - 1);
        name[sizeof name - 1] = '\0';
        memcpy(name + 233, cuts[i], 3); /* the last bytes that are kept */
        events_render(
            &text, &(struct event){.about = {"v1", "K", name, "u"}, .reason = "R", .action = "A", .note = ""},
            "i", 1763718602000123LL, 0x1879fcb953f74478ULL);
        assert_non_null(strstr(text.data, "n.1879fcb953f74478\""));
        buf_deinit(&text);
    }
}

/* 25 at once, then one in five minutes, for each policy by itself. */
static void test_a_policy_has_a_limit(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        send_about("a");
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 25);
    send_about("b");
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 26);
    loop.time += EVENTS_PERIOD_MS - 1;
    send_about("a");
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 26);
    loop.time += 1;
    send_about("a");
    send_about("a");
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 27);
    expect_count("sent", 27);
    expect_count("limited", 77);
    end();
}

/* Whoever makes up names has no more Events than one name, once there are many. */
static void test_a_recreated_policy_has_no_more(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++) {
        cleanup_mem char *uid = mem_printf("u%d", i);
        send_about_one("a", uid);
    }
    answer_all(ERR_NONE);
    expect_count("sent", EVENTS_BURST);
    expect_count("limited", 100 - EVENTS_BURST);
    end();
}

static void test_counts_are_bounded(void **state)
{
    enum { MORE = 100 };
    (void)state;
    begin();
    send_about("a");
    answer_all(ERR_NONE);
    for (int i = 1; i < EVENTS_COUNTED_MAX + MORE; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        send_about(name);
    }
    expect_count("limited", MORE - EVENTS_BURST);
    /* a name that was counted apart still is */
    send_about("a");
    expect_count("limited", MORE - EVENTS_BURST);
    /* what nobody has used for long makes room */
    loop.time += 2 * EVENTS_PERIOD_MS;
    for (int i = 0; i < EVENTS_BURST; i++)
        send_about("new");
    expect_count("limited", MORE - EVENTS_BURST);
    end();
}

static void test_names_differ(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++)
        send_about("a");
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 20);
    for (size_t i = 1; i < n_calls; i++)
        assert_string_not_equal(calls[i].body, calls[i - 1].body);
    end();
}

/* Two requests at a time; the line has an end, and what is behind it is dropped. */
static void test_the_line_is_bounded(void **state)
{
    (void)state;
    char name[16];
    begin();
    for (int i = 0; i < EVENTS_LINE_MAX + EVENTS_UNDER_WAY_MAX + 7; i++) {
        snprintf(name, sizeof name, "p%d", i);
        send_about(name);
    }
    assert_int_equal(n_calls, EVENTS_UNDER_WAY_MAX);
    expect_count("dropped", 7);
    answer(0, ERR_NETWORK);
    assert_int_equal(n_calls, EVENTS_UNDER_WAY_MAX + 1);
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, EVENTS_LINE_MAX + EVENTS_UNDER_WAY_MAX);
    expect_count("failed", 1);
    expect_count("sent", EVENTS_LINE_MAX + EVENTS_UNDER_WAY_MAX - 1);
    end();
}

static void test_what_is_urgent_goes_first(void **state)
{
    (void)state;
    begin();
    busy = true;
    send_about("a");
    loop.time += EVENTS_HOLD_MS - 1;
    send_about("b");
    events_resume(events);
    assert_int_equal(n_calls, 0);
    /* An event waits no longer than that; who came later waits on. */
    loop.time += 1;
    events_resume(events);
    assert_int_equal(n_calls, 1);
    busy = false;
    events_resume(events);
    assert_int_equal(n_calls, 2);
    assert_non_null(strstr(calls[1].body, "\"b."));
    answer(0, ERR_NONE);
    answer(1, ERR_NONE);
    end();
}

static void test_the_end_drops_what_is_under_way(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++)
        send_about("a");
    assert_int_equal(n_calls, EVENTS_UNDER_WAY_MAX);
    end();
    events_free(NULL);
    events_send(NULL, &(struct event){0});
}

/* A refusal is no reason to stop trying: the right may be given later. */
static void test_refused(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 5; i++) {
        send_about("a");
        answer_all(ERR_FORBIDDEN);
    }
    send_about("a");
    answer_all(ERR_NONE);
    expect_count("forbidden", 5);
    expect_count("sent", 1);
    end();
}

/* The name of an event's body, to be freed. */
static char *name_of(const char *body)
{
    const char *at = strstr(body, "\"name\":\"") + strlen("\"name\":\"");
    return mem_strndup(at, strcspn(at, "\""));
}

static void send_topic(const char *kind, const char *uid, const char *note, bool is_known)
{
    events_send(events, &(struct event){.about = {"example.com/v1", kind, "o", uid},
                                        .is_warning = true,
                                        .reason = "WarningsFound",
                                        .action = "TypeCheck",
                                        .note = note,
                                        .topic = "ExpressionsValid",
                                        .is_known = is_known});
}

/* What says the same of the same object is called the same, at whatever time, and sorts before times. */
static void test_names_of_topics(void **state)
{
    (void)state;
    begin();
    send_topic("K", "u", "a", true);
    answer_all(ERR_NONE);
    send_topic("K", "u", "a", true);
    answer_all(ERR_CONFLICT);
    send_topic("K", "u", "b", true);
    answer_all(ERR_NONE);
    send_topic("L", "u", "a", true);
    answer_all(ERR_NONE);
    send_topic("K", "v", "a", true);
    answer_all(ERR_NONE);
    assert_int_equal(n_calls, 5);
    cleanup_mem char *first = name_of(calls[0].body), *again = name_of(calls[1].body);
    assert_string_equal(first, again);
    assert_memory_equal(first, "o.0", 3);
    assert_int_equal(strlen(first), 2 + 16);
    for (size_t i = 2; i < n_calls; i++) {
        cleanup_mem char *other = name_of(calls[i].body);
        assert_string_not_equal(first, other);
    }
    expect_count("sent", 4);
    expect_count("known", 1);
    expect_count("failed", 0);
    end();
}

/* Older news of the same words does not hide it: it is sent again, called by its time. */
static void test_news_whose_name_is_taken(void **state)
{
    (void)state;
    begin();
    send_topic("K", "u", "a", false);
    assert_int_equal(n_calls, 1);
    answer(0, ERR_CONFLICT);
    assert_int_equal(n_calls, 2);
    cleanup_mem char *first = name_of(calls[0].body), *again = name_of(calls[1].body);
    assert_memory_equal(first, "o.0", 3);
    assert_memory_equal(again, "o.1", 3);
    assert_string_equal(calls[0].body + strlen(calls[0].body) - 60,
                        calls[1].body + strlen(calls[1].body) - 60);
    answer(1, ERR_CONFLICT); /* nobody has that name: it is said, and no more */
    assert_int_equal(n_calls, 2);
    send_topic("K", "u", "a", false);
    answer(2, ERR_CONFLICT);
    answer(3, ERR_NONE);
    expect_count("sent", 1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_event_as_json),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_a_name_is_cut_where_it_may_end),
        cmocka_unit_test(test_a_policy_has_a_limit),
        cmocka_unit_test(test_a_recreated_policy_has_no_more),
        cmocka_unit_test(test_counts_are_bounded),
        cmocka_unit_test(test_names_differ),
        cmocka_unit_test(test_the_line_is_bounded),
        cmocka_unit_test(test_what_is_urgent_goes_first),
        cmocka_unit_test(test_the_end_drops_what_is_under_way),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names_of_topics),
        cmocka_unit_test(test_news_whose_name_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
