#include "client/discovery/openapi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/base/log.h"
#include "client/discovery/polled.h"
#include "tests/unit/client/loopback.h"
#include "tests/unit/client/virtualclock.h"

struct fixture {
    uv_loop_t loop;
    uv_timer_t end; /* of what pass waits for */
    struct loopback server;
    struct config config;
    struct api *api;
    struct openapi *o;
    const char *headers; /* of documents */
    const char *needed;  /* all the same */
    size_t object_bytes; /* what each object is said to hold */
    size_t answered;     /* of those that wait in peers */
    struct loopback_peer *peers[16];
    size_t n_peers;
    unsigned index_reads;
    unsigned document_reads;
    int document_status;
    int steps; /* but the last one, that a derivation takes */
    int steps_done;
    int derivations; /* that began and did not end */
    int derived;
    int destroyed;
    int indexes, index_failures;
    int readies;
    bool is_over, is_huge;
    bool is_late; /* documents wait in peers */
    bool is_unneeded;
    char url[64];
    char index[4096];
    char bodies[16][128];
    char changes[128];
};

/* What is derived of a text, in so many steps. */
struct derivation {
    struct fixture *fixture;
    const char *text;
    size_t len;
    int steps_left;
};

static void *begin(void *user, const char *bytes, size_t len)
{
    struct fixture *f = user;
    struct derivation *d = malloc(sizeof *d);
    assert_int_equal(f->derivations, 0); /* one at a time */
    f->derivations++;
    *d = (struct derivation){f, bytes, len, f->steps};
    return d;
}

static bool step(void *derivation)
{
    struct derivation *d = derivation;
    assert_true(d->steps_left >= 0);
    d->fixture->steps_done++;
    return d->steps_left-- > 0;
}

static void *end(void *derivation, const char *path, struct err *err)
{
    struct derivation *d = derivation;
    struct fixture *f = d->fixture;
    char *derived = NULL;
    (void)path;
    f->derivations--;
    if (err && strcmp(d->text, "bad") == 0) {
        (void)err_set(err, ERR_INVALID, "bad bytes");
    } else if (err) {
        f->derived++;
        derived = strndup(d->text, d->len);
    }
    free(d);
    return derived;
}

static void destroy(void *user, void *derived)
{
    struct fixture *f = user;
    f->destroyed++;
    free(derived);
}

static size_t size(void *user, const void *derived)
{
    const struct fixture *f = user;
    assert_non_null(derived);
    return f->object_bytes;
}

static void on_change(void *user, const char *path)
{
    struct fixture *f = user;
    strncat(f->changes, path, 64);
    strncat(f->changes, " ", 2);
}

static bool is_needed(void *user, const char *path)
{
    const struct fixture *f = user;
    return !f->is_unneeded || (f->needed && strcmp(path, f->needed) == 0);
}

static void on_index(void *user, const struct err *err)
{
    struct fixture *f = user;
    if (err)
        f->index_failures++;
    else
        f->indexes++;
}

static void on_ready(void *user)
{
    struct fixture *f = user;
    f->readies++;
}

/* One byte more than a document may have. */
static void reply_huge(struct loopback_peer *peer)
{
    char *body = malloc(OPENAPI_DOCUMENT_CAP_BYTES + 2);
    memset(body, ' ', OPENAPI_DOCUMENT_CAP_BYTES + 1);
    body[OPENAPI_DOCUMENT_CAP_BYTES + 1] = '\0';
    loopback_reply(peer, 200, "", body);
    free(body);
}

static void serve(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    char body[128];
    (void)number;
    if (strncmp(request, "GET /openapi/v3 ", 16) == 0) {
        f->index_reads++;
        loopback_reply(peer, *f->index ? 200 : 500, "", *f->index ? f->index : "broken");
        return;
    }
    f->document_reads++;
    const char *hash = strstr(request, "?hash=");
    assert_non_null(hash);
    snprintf(body, sizeof body, "%.*s", (int)strcspn(hash + 6, " "), hash + 6);
    if (f->is_huge) {
        reply_huge(peer);
        return;
    }
    if (f->is_late) {
        snprintf(f->bodies[f->n_peers], sizeof f->bodies[0], "%s", body);
        f->peers[f->n_peers++] = peer;
        return;
    }
    loopback_reply(peer, f->document_status, f->headers, f->document_status == 200 ? body : "broken");
}

static void set_index(struct fixture *f, const char *path, const char *hash)
{
    snprintf(f->index, sizeof f->index,
             "{\"paths\":{\"%s\":{\"serverRelativeURL\":\"/openapi/v3/%s?hash=%s\"}}}", path, path, hash);
}

static void on_end(uv_timer_t *timer)
{
    struct fixture *f = timer->data;
    f->is_over = true;
}

/* So much later. The clock jumps from one timer to the next, and only while nothing is under way: what is
 * asked for meanwhile is answered before its deadline, however slow the machine is. */
static void pass(struct fixture *f, uint64_t ms)
{
    f->is_over = false;
    uv_update_time(&f->loop);
    uv_timer_start(&f->end, on_end, ms, 0);
    while (!f->is_over)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void open_fixture(struct fixture *f)
{
    struct err err;
    memset(f, 0, sizeof *f);
    log_set_level(LOG_LEVEL_ERROR);
    uv_loop_init(&f->loop);
    uv_timer_init(&f->loop, &f->end);
    f->end.data = f;
    loopback_open(&f->server, &f->loop, serve, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d", f->server.port);
    f->config.server = f->url;
    f->document_status = 200;
    f->headers = "";
    assert_int_equal(api_new(&f->loop, &f->config, &(struct api_options){.program = "test"}, &f->api, &err),
                     0);
    const struct openapi_options o = {begin, step, end, destroy, size, on_change, is_needed, on_index, f};
    f->o = openapi_start(f->api, &o);
}

static void close_fixture(struct fixture *f)
{
    openapi_close(f->o, NULL, NULL);
    uv_close((uv_handle_t *)&f->end, NULL);
    loopback_close(&f->server);
    api_close(f->api, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    assert_int_equal(f->derived, f->destroyed);
    assert_int_equal(f->derivations, 0);
}

static void require_now(struct fixture *f, const char *path)
{
    const int before = f->readies;
    openapi_require(f->o, &path, 1, on_ready, f);
    assert_int_equal(f->readies, before);
    while (f->readies == before)
        uv_run(&f->loop, UV_RUN_ONCE);
}

/* What was found last, when, and of which path. The object may be gone; another one has another revision. */
static struct {
    const struct openapi *o;
    const char *path;
    const void *found;
    bool is_read;
    uint64_t revision;
} last;

/* A caller keeps what it found until the revision is another. */
static void expect_revision(const struct openapi *o, const char *path, const void *found,
                            enum openapi_state state)
{
    const bool is_read = state != OPENAPI_UNKNOWN, is_same = last.found == found && last.is_read == is_read;
    if (last.o == o && last.path != NULL && strcmp(last.path, path) == 0 && !is_same)
        assert_int_not_equal(openapi_revision(o), last.revision);
    last.o = o;
    last.path = path;
    last.found = found;
    last.is_read = is_read;
    last.revision = openapi_revision(o);
}

static void expect(struct fixture *f, const char *path, enum openapi_state expected, const char *derived)
{
    enum openapi_state state;
    const char *found = openapi_lookup(f->o, path, &state);
    expect_revision(f->o, path, found, state);
    assert_int_equal(state, expected);
    if (derived)
        assert_string_equal(found, derived);
    else
        assert_null(found);
}

static void test_a_document_is_read_once(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    expect(&f, "api/v1", OPENAPI_UNKNOWN, NULL);
    expect(&f, "apis/g/v1", OPENAPI_UNKNOWN, NULL);
    require_now(&f, "api/v1");
    expect(&f, "apis/g/v1", OPENAPI_ABSENT, NULL);
    assert_int_equal(f.indexes, 1);
    expect(&f, "api/v1", OPENAPI_FRESH, "H1");
    require_now(&f, "api/v1");
    assert_int_equal(f.document_reads, 1);
    assert_string_equal(f.changes, "");
    close_fixture(&f);
}

static void test_absent(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    require_now(&f, "apis/g/v1");
    expect(&f, "apis/g/v1", OPENAPI_ABSENT, NULL);
    assert_int_equal(f.document_reads, 0);
    close_fixture(&f);
}

static void test_no_index_blocks_nobody(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    require_now(&f, "api/v1");
    expect(&f, "api/v1", OPENAPI_UNKNOWN, NULL);
    assert_int_equal(f.index_reads, 1);
    assert_int_equal(f.indexes, 0);
    close_fixture(&f);
}

static void test_a_triggered_change_and_the_way_back(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "apis/g/v1", "H1");
    require_now(&f, "apis/g/v1");
    set_index(&f, "apis/g/v1", "H2");
    openapi_trigger(f.o, "g");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_string_equal(f.changes, "apis/g/v1 ");
    expect(&f, "apis/g/v1", OPENAPI_STALE, "H1");
    require_now(&f, "apis/g/v1");
    expect(&f, "apis/g/v1", OPENAPI_FRESH, "H2");
    /* The first hash comes back: its object is still there. */
    f.changes[0] = '\0';
    set_index(&f, "apis/g/v1", "H1");
    openapi_trigger(f.o, "g");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    require_now(&f, "apis/g/v1");
    expect(&f, "apis/g/v1", OPENAPI_FRESH, "H1");
    assert_int_equal(f.document_reads, 2);
    close_fixture(&f);
}

/* The server already has newer content when it is asked for a hash: it is not taken for that of the hash. */
static void test_newer_content_does_not_come_back(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (int i = 0; i < 3; i++) {
        f.headers = i == 0 ? "Etag: \"H2\"\r\n" : i == 1 ? "Etag: \"H2\"\r\n" : "Etag: W/\"H1\"\r\n";
        set_index(&f, "apis/g/v1", i == 1 ? "H2" : "H1");
        openapi_trigger(f.o, "g");
        while (i > 0 && !*f.changes)
            uv_run(&f.loop, UV_RUN_ONCE);
        f.changes[0] = '\0';
        require_now(&f, "apis/g/v1");
        assert_int_equal(f.document_reads, i + 1);
    }
    /* What was said to be of its hash does. */
    set_index(&f, "apis/g/v1", "H2");
    openapi_trigger(f.o, "g");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    require_now(&f, "apis/g/v1");
    expect(&f, "apis/g/v1", OPENAPI_FRESH, "H2");
    assert_int_equal(f.document_reads, 3);
    close_fixture(&f);
}

static void test_of_many_changes_the_last_are_kept(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (int i = 0; i < 20; i++) {
        char hash[16];
        snprintf(hash, sizeof hash, "H%d", i);
        set_index(&f, "apis/g/v1", hash);
        openapi_trigger(f.o, "g");
        while (i > 0 && !*f.changes)
            uv_run(&f.loop, UV_RUN_ONCE);
        f.changes[0] = '\0';
        require_now(&f, "apis/g/v1");
        expect(&f, "apis/g/v1", OPENAPI_FRESH, hash);
        assert_in_range(f.derived - f.destroyed, 1, 1 + OPENAPI_RETIRED_MAX);
    }
    close_fixture(&f);
}

/* Of two documents that a policy needs, the one that changed is read and derived, and no other. */
static void test_a_change_concerns_one_document(void **state)
{
    (void)state;
    static const char index[] = "{\"paths\":{"
                                "\"api/v1\":{\"serverRelativeURL\":\"/openapi/v3/api/v1?hash=A1\"},"
                                "\"apis/g/v1\":{\"serverRelativeURL\":\"/openapi/v3/apis/g/v1?hash=%s\"}}}";
    const char *const paths[] = {"api/v1", "apis/g/v1"};
    struct fixture f;
    open_fixture(&f);
    snprintf(f.index, sizeof f.index, index, "H1");
    openapi_require(f.o, paths, 2, on_ready, &f);
    while (f.readies == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    const void *other = openapi_lookup(f.o, "api/v1", NULL);
    assert_non_null(other);
    assert_int_equal(f.derived, 2);

    snprintf(f.index, sizeof f.index, index, "H2");
    openapi_trigger(f.o, "g");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_string_equal(f.changes, "apis/g/v1 ");
    openapi_require(f.o, paths, 2, on_ready, &f);
    while (f.readies == 1)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, "apis/g/v1", OPENAPI_FRESH, "H2");
    assert_ptr_equal(openapi_lookup(f.o, "api/v1", NULL), other);
    assert_int_equal(f.document_reads, 3);
    assert_int_equal(f.derived, 3);
    close_fixture(&f);
}

/* The time of a reading of the index, the spread of its period included. */
enum { READING_MS = POLLED_PERIOD_MS + POLLED_PERIOD_MS / 5 };

static void test_what_nobody_needs_is_dropped(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    require_now(&f, "api/v1");
    f.is_unneeded = true;
    pass(&f, OPENAPI_KEEP_MS);
    expect(&f, "api/v1", OPENAPI_FRESH, "H1");
    /* Needed for a moment: the time begins anew. */
    f.is_unneeded = false;
    pass(&f, READING_MS);
    f.is_unneeded = true;
    pass(&f, OPENAPI_KEEP_MS);
    expect(&f, "api/v1", OPENAPI_FRESH, "H1");
    pass(&f, (uint64_t)2 * READING_MS);
    expect(&f, "api/v1", OPENAPI_UNKNOWN, NULL);
    assert_int_equal(f.destroyed, 1);
    assert_int_equal(f.document_reads, 1);
    require_now(&f, "api/v1");
    expect(&f, "api/v1", OPENAPI_FRESH, "H1");
    assert_int_equal(f.document_reads, 2);
    close_fixture(&f);
}

/* require_now, and the log says why there is no document. */
static void require_in_vain(struct fixture *f, const char *path, const char *reason, enum openapi_state state)
{
    char said[LOG_LINE_BYTES] = "";
    const int real = dup(STDERR_FILENO);
    const int log = memfd_create("log", 0);
    assert_true(real >= 0 && log >= 0);
    dup2(log, STDERR_FILENO);
    log_set_level(LOG_LEVEL_WARN);
    require_now(f, path);
    log_set_level(LOG_LEVEL_ERROR);
    dup2(real, STDERR_FILENO);
    assert_true(pread(log, said, sizeof said - 1, 0) > 0);
    close(real);
    close(log);
    assert_non_null(strstr(said, path));
    if (!strstr(said, reason))
        fail_msg("%s", said);
    expect(f, path, state, NULL);
}

/* Whatever the server says of the request: it may pass. */
static void fails_with(int status, const char *reason)
{
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    f.document_status = status;
    require_in_vain(&f, "api/v1", reason, OPENAPI_UNKNOWN);
    /* Not asked again before its time. */
    require_now(&f, "api/v1");
    assert_int_equal(f.document_reads, 1);
    f.document_status = 200;
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_string_equal(f.changes, "api/v1 ");
    expect(&f, "api/v1", OPENAPI_FRESH, "H1");
    close_fixture(&f);
}

static void test_a_failed_document_comes_later(void **state)
{
    (void)state;
    fails_with(404, "HTTP 404: broken");
    fails_with(413, "HTTP 413: broken");
    fails_with(422, "HTTP 422: broken");
    fails_with(503, "HTTP 503: broken");
}

/* A call ended without the document. That it comes while somebody else waits for it must be reported. */
static void test_a_failed_document_comes_while_another_waits(void **state)
{
    (void)state;
    static const char path[] = "api/v1";
    struct fixture f;
    open_fixture(&f);
    set_index(&f, path, "H1");
    f.document_status = 503;
    require_now(&f, path);
    expect(&f, path, OPENAPI_UNKNOWN, NULL);
    f.document_status = 200;
    f.is_late = true;
    while (f.n_peers == 0) /* the document is fetched again */
        uv_run(&f.loop, UV_RUN_ONCE);
    openapi_require(f.o, (const char *const[]){path}, 1, on_ready, &f);
    loopback_reply(f.peers[0], 200, "", f.bodies[0]);
    while (f.readies < 2)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, path, OPENAPI_FRESH, "H1");
    assert_string_equal(f.changes, "api/v1 ");
    close_fixture(&f);
}

static void test_a_document_that_cannot_be_used_is_not_read_again(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "bad");
    require_in_vain(&f, "api/v1", "bad bytes", OPENAPI_UNKNOWN);
    require_now(&f, "api/v1");
    assert_int_equal(f.document_reads, 1);
    close_fixture(&f);
}

static void test_a_document_that_is_too_large_is_not_read_again(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    f.is_huge = true;
    require_in_vain(&f, "api/v1", "more than 16777216 bytes", OPENAPI_TOO_LARGE);
    require_now(&f, "api/v1");
    assert_int_equal(f.document_reads, 1);
    close_fixture(&f);
}

/* It could not be read at first; whoever asked is no longer waiting when it proves too large. */
static void test_a_document_that_is_found_too_large_later(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    set_index(&f, "api/v1", "H1");
    f.document_status = 503;
    require_in_vain(&f, "api/v1", "HTTP 503", OPENAPI_UNKNOWN);
    f.is_huge = true;
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_string_equal(f.changes, "api/v1 ");
    expect(&f, "api/v1", OPENAPI_TOO_LARGE, NULL);
    close_fixture(&f);
}

/* Two of three fit; the third comes when there is room. */
static void test_what_all_objects_hold_is_bounded(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.object_bytes = OPENAPI_KEPT_MAX_BYTES / 2;
    snprintf(f.index, sizeof f.index, "{\"paths\":{");
    for (int i = 0; i < 3; i++)
        snprintf(f.index + strlen(f.index), sizeof f.index - strlen(f.index),
                 "%s\"apis/g%d/v1\":{\"serverRelativeURL\":\"/openapi/v3/apis/g%d/v1?hash=H%d\"}",
                 i > 0 ? "," : "", i, i, i);
    strncat(f.index, "}}", 3);
    require_now(&f, "apis/g0/v1");
    require_now(&f, "apis/g1/v1");
    require_in_vain(&f, "apis/g2/v1", "no room for it", OPENAPI_TOO_LARGE);
    expect(&f, "apis/g0/v1", OPENAPI_FRESH, "H0");
    expect(&f, "apis/g1/v1", OPENAPI_FRESH, "H1");
    require_now(&f, "apis/g2/v1"); /* not read again for that */
    assert_int_equal(f.document_reads, 3);
    f.is_unneeded = true;
    f.needed = "apis/g2/v1";
    *f.changes = '\0';
    /* It is tried again after OPENAPI_KEEP_MS, when the others are still kept, and once more. */
    pass(&f, 2 * OPENAPI_KEEP_MS + READING_MS);
    assert_string_equal(f.changes, "apis/g2/v1 ");
    expect(&f, "apis/g2/v1", OPENAPI_FRESH, "H2");
    close_fixture(&f);
}

/* An old object goes before a new one is refused. */
static void test_retired_objects_make_room(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.object_bytes = OPENAPI_KEPT_MAX_BYTES;
    set_index(&f, "apis/g/v1", "H1");
    require_now(&f, "apis/g/v1");
    openapi_trigger(f.o, "g");
    set_index(&f, "apis/g/v1", "H2");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    require_now(&f, "apis/g/v1");
    expect(&f, "apis/g/v1", OPENAPI_FRESH, "H2");
    assert_int_equal(f.destroyed, 1);
    close_fixture(&f);
}

/* An index of 12 documents, all of which are required at once. */
static void require_many(struct fixture *f)
{
    char names[12][16];
    const char *paths[12];
    snprintf(f->index, sizeof f->index, "{\"paths\":{");
    for (size_t i = 0; i < 12; i++) {
        const size_t len = strlen(f->index);
        snprintf(names[i], sizeof names[i], "apis/g%zu/v1", i);
        paths[i] = names[i];
        snprintf(f->index + len, sizeof f->index - len,
                 "%s\"%s\":{\"serverRelativeURL\":\"/openapi/v3/%s?hash=H%zu\"}", i ? "," : "", names[i],
                 names[i], i);
    }
    strncat(f->index, "}}", 3);
    while (f->indexes == 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    f->is_late = true;
    openapi_require(f->o, paths, 12, on_ready, f);
}

static void turn_until(struct fixture *f, size_t n_peers)
{
    for (int i = 0; i < 200 && f->n_peers < n_peers; i++)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(f->n_peers, n_peers);
}

static void answer(struct fixture *f, size_t which)
{
    loopback_reply(f->peers[which], 200, "", f->bodies[which]);
    while (f->derived <= (int)f->answered)
        uv_run(&f->loop, UV_RUN_ONCE);
    f->answered++;
}

static void count_turn(uv_check_t *check)
{
    int *turns = check->data;
    ++*turns;
}

/* Other work goes on between two steps; nobody is answered before the last one. */
static void test_a_document_is_derived_in_turns(void **state)
{
    (void)state;
    struct fixture f;
    const char *path = "api/v1";
    uv_check_t check;
    int turns = 0;
    open_fixture(&f);
    uv_check_init(&f.loop, &check);
    check.data = &turns;
    set_index(&f, path, "H1");
    f.steps = 50;
    openapi_require(f.o, &path, 1, on_ready, &f);
    while (f.steps_done == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    uv_check_start(&check, count_turn);
    while (f.steps_done <= 50) {
        assert_int_equal(f.readies, 0);
        expect(&f, path, OPENAPI_UNKNOWN, NULL);
        uv_run(&f.loop, UV_RUN_ONCE);
    }
    assert_in_range(turns, 49, 51);
    while (f.readies == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, path, OPENAPI_FRESH, "H1");
    uv_close((uv_handle_t *)&check, NULL);
    close_fixture(&f);
}

static void test_two_documents_at_a_time(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    require_many(&f);
    for (size_t i = 0; i < 12; i++) {
        turn_until(&f, i + 2 < 12 ? i + 2 : 12);
        answer(&f, i);
    }
    while (f.readies == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, "apis/g0/v1", OPENAPI_FRESH, "H0");
    expect(&f, "apis/g11/v1", OPENAPI_FRESH, "H11");
    close_fixture(&f);
}

/* Two that do not answer are not waited for; but no more than OPENAPI_FETCHES_MAX are asked for. */
static void test_documents_that_do_not_come(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    require_many(&f);
    turn_until(&f, 2);
    for (size_t n = 4; n <= OPENAPI_FETCHES_MAX; n += 2) {
        pass(&f, OPENAPI_PATIENCE_MS);
        turn_until(&f, n);
    }
    pass(&f, OPENAPI_PATIENCE_MS);
    assert_int_equal(f.n_peers, OPENAPI_FETCHES_MAX);
    answer(&f, 3);
    turn_until(&f, OPENAPI_FETCHES_MAX + 1);
    close_fixture(&f);
}

/* The index moves on while a document is read that is refused then: whoever waits gets the new one. */
static void moves_on(int status, const char *body, size_t object_bytes)
{
    struct fixture f;
    const char *path = "apis/g/v1";
    open_fixture(&f);
    set_index(&f, path, "H1");
    while (f.indexes == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    f.is_late = true;
    openapi_require(f.o, &path, 1, on_ready, &f);
    turn_until(&f, 1);
    f.is_late = false;
    set_index(&f, path, "H2");
    openapi_trigger(f.o, "g");
    while (!*f.changes)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.document_reads, 1);
    f.object_bytes = object_bytes;
    if (body)
        loopback_reply(f.peers[0], status, "", body);
    else
        reply_huge(f.peers[0]);
    for (int i = 0; i < 20 && f.document_reads < 2; i++)
        uv_run(&f.loop, UV_RUN_ONCE);
    f.object_bytes = 1;
    while (f.readies == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, path, OPENAPI_FRESH, "H2");
    assert_int_equal(f.document_reads, 2);
    close_fixture(&f);
}

static void test_what_changes_while_it_is_read_and_refused(void **state)
{
    (void)state;
    moves_on(200, "bad", 1);
    moves_on(200, NULL, 1);
    moves_on(404, "gone", 1);
    moves_on(200, "no room", OPENAPI_KEPT_MAX_BYTES + 1);
}

static void test_an_index_that_may_not_be_read(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    while (f.index_failures == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    expect(&f, "api/v1", OPENAPI_UNKNOWN, NULL);
    close_fixture(&f);
}

static void test_cancel_and_close_at_every_point(void **state)
{
    (void)state;
    for (int turns = 0; turns < 40; turns++) {
        struct fixture f;
        const char *path = "api/v1";
        open_fixture(&f);
        f.steps = 20;
        set_index(&f, path, "H1");
        struct openapi_call *call = openapi_require(f.o, &path, 1, on_ready, &f);
        openapi_require(f.o, &path, 1, on_ready, &f);
        openapi_cancel(call);
        for (int i = 0; i < turns; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        const int before = f.readies;
        close_fixture(&f);
        assert_int_equal(f.readies, before);
        assert_in_range(before, 0, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_document_is_read_once),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_no_index_blocks_nobody),
        cmocka_unit_test(test_a_triggered_change_and_the_way_back),
        cmocka_unit_test(test_newer_content_does_not_come_back),
        cmocka_unit_test(test_of_many_changes_the_last_are_kept),
        cmocka_unit_test(test_a_change_concerns_one_document),
        cmocka_unit_test(test_what_nobody_needs_is_dropped),
        cmocka_unit_test(test_a_failed_document_comes_later),
        cmocka_unit_test(test_a_failed_document_comes_while_another_waits),
        cmocka_unit_test(test_a_document_that_cannot_be_used_is_not_read_again),
        cmocka_unit_test(test_a_document_that_is_too_large_is_not_read_again),
        cmocka_unit_test(test_a_document_that_is_found_too_large_later),
        cmocka_unit_test(test_what_all_objects_hold_is_bounded),
        cmocka_unit_test(test_retired_objects_make_room),
        cmocka_unit_test(test_cancel_and_close_at_every_point),
        cmocka_unit_test(test_a_document_is_derived_in_turns),
        cmocka_unit_test(test_two_documents_at_a_time),
        cmocka_unit_test(test_documents_that_do_not_come),
        cmocka_unit_test(test_what_changes_while_it_is_read_and_refused),
        cmocka_unit_test(test_an_index_that_may_not_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
