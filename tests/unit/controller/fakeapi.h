/*
 * An API server's answers as a test scripts them: what is asked of it is kept
 * here, defined instead of in the library, and answered when the test says so.
 * Event bodies are creates[].body.
 *
 * fakeapi_begin() before each test, fakeapi_end() after it.
 */
#ifndef UNIT_CONTROLLER_FAKEAPI_H
#define UNIT_CONTROLLER_FAKEAPI_H

#include "client/base/mem.h"
#include "client/rest/api.h"

enum { FAKEAPI_CALLS_MAX = 1024 };

struct api_call {
    bool is_open; /* the caller waits for an answer */
    char *path, *body;
    api_on_reply *on_done;
    void *user;
};

static struct api_call applies[FAKEAPI_CALLS_MAX], creates[FAKEAPI_CALLS_MAX], reads[FAKEAPI_CALLS_MAX];
static size_t n_applies, n_creates, n_reads;

static struct api_call *fakeapi_keep(struct api_call *calls, size_t *count, struct api_call call)
{
    assert_true(*count < FAKEAPI_CALLS_MAX);
    calls[*count] = call;
    return &calls[(*count)++];
}

struct api_call *api_apply(struct api *api, const struct api_write *write, api_on_reply *on_done, void *user)
{
    (void)api;
    assert_true(write->force);
    assert_string_equal(write->field_manager, "vapcheck-controller");
    return fakeapi_keep(applies, &n_applies,
                        (struct api_call){true, mem_strdup(write->path), mem_strndup(write->body, write->len),
                                          on_done, user});
}

/* Never under way: the next is not held up. */
struct api_call *api_create(struct api *api, const struct api_write *write, api_on_reply *on_done, void *user)
{
    (void)api, (void)on_done, (void)user;
    fakeapi_keep(creates, &n_creates, (struct api_call){.body = mem_strndup(write->body, write->len)});
    return NULL;
}

struct api_call *api_get(struct api *api, const struct api_get *get, api_on_reply *on_done, void *user)
{
    (void)api;
    return fakeapi_keep(reads, &n_reads, (struct api_call){true, mem_strdup(get->path), NULL, on_done, user});
}

void api_cancel(struct api_call *call)
{
    if (call != NULL)
        call->is_open = false;
}

/* text: the body of a success. */
static void fakeapi_answer(struct api_call *call, enum err_code code, int retry_after_ms, const char *text)
{
    struct err err = {0};
    const struct api_reply reply = {.status = 200, .body = text, .len = strlen(text), .etag = ""};
    assert_true(call->is_open);
    call->is_open = false;
    if (code != ERR_NONE)
        err_set(&err, code, "scripted");
    err.retry_after_ms = retry_after_ms;
    call->on_done(call->user, code == ERR_NONE ? NULL : &err, code == ERR_NONE ? &reply : NULL);
}

static void fakeapi_begin(void)
{
    n_applies = n_creates = n_reads = 0;
}

static void fakeapi_free(struct api_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_false(calls[i].is_open);
        mem_free(calls[i].path);
        mem_free(calls[i].body);
    }
}

static void fakeapi_end(void)
{
    fakeapi_free(applies, n_applies);
    fakeapi_free(creates, n_creates);
    fakeapi_free(reads, n_reads);
}

#endif
