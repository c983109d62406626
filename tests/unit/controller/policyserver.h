/*
 * A server of one policy and its binding, as a test scripts it: what it has,
 * what its watches have brought so far, and the applies that it has not
 * answered. A request arrives, its answer comes back, and its event comes
 * through the watch, each when the test says so.
 *
 * Used with fakeapi.h.
 */
#ifndef UNIT_CONTROLLER_POLICYSERVER_H
#define UNIT_CONTROLLER_POLICYSERVER_H

#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define POLICY "p"

enum { SERVER_EVENTS_MAX = 4096 };

/* A version of the policy, as a watch event has it. text is NULL: it was deleted. */
struct server_event {
    char *text;
    bool is_binding, is_bound; /* the binding came, or went */
};

/* On an apply. */
struct server_decision {
    bool has_arrived; /* the server has decided */
    enum err_code code;
    int retry_after_ms;
    char *version; /* of the answer */
};

static struct {
    int version, generation, uid;
    bool is_there, is_bound;
    const char *expression;
    char *status; /* JSON */
    struct server_event events[SERVER_EVENTS_MAX];
    size_t n_events, n_delivered;
    struct server_decision decisions[FAKEAPI_CALLS_MAX]; /* on applies[] */
} server;

/* What our manager owns after an apply of this status. */
static void put_owned(struct buf *b, struct json_object *status)
{
    struct json_object *conditions = jsonval_array(status, "conditions");
    buf_puts(b, "{\"f:status\":{\"f:observedGeneration\":{},\"f:typeChecking\":{\"f:expressionWarnings\":{}},"
                "\"f:conditions\":{");
    for (size_t i = 0; i < jsonval_length(conditions); i++) {
        struct json_object *c = jsonval_at(conditions, i);
        cleanup_mem char *key = mem_printf("k:{\"type\":\"%s\"}", jsonval_string_or_empty(c, "type"));
        buf_puts(b, i == 0 ? "" : ",");
        buf_put_json(b, key, strlen(key));
        buf_puts(b, ":{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},\"f:observedGeneration\":{},"
                    "\"f:reason\":{},\"f:status\":{},\"f:type\":{}}");
    }
    buf_puts(b, "}}}");
}

static char *server_text(void)
{
    cleanup_json struct json_object *status = NULL;
    struct err err = {0};
    struct buf b;
    buf_init(&b, 1024 * 1024);
    buf_printf(&b,
               "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingAdmissionPolicy\","
               "\"metadata\":{\"name\":\"" POLICY "\",\"uid\":\"u%d\",\"resourceVersion\":\"%d\","
               "\"generation\":%d",
               server.uid, server.version, server.generation);
    if (server.status != NULL) {
        assert_int_equal(jsonval_parse(server.status, strlen(server.status), &status, &err), 0);
        buf_puts(&b, ",\"managedFields\":[{\"manager\":\"vapcheck-controller\",\"operation\":\"Apply\","
                     "\"subresource\":\"status\",\"fieldsV1\":");
        put_owned(&b, status);
        buf_puts(&b, "}]");
    }
    buf_printf(&b,
               "},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"apps\"],"
               "\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":[\"deployments\"]}]},"
               "\"validations\":[{\"expression\":\"%s\"}]},\"status\":%s}",
               server.expression, server.status == NULL ? "{}" : server.status);
    return buf_take(&b, NULL);
}

static void server_push(struct server_event event)
{
    assert_true(server.n_events < SERVER_EVENTS_MAX);
    server.events[server.n_events++] = event;
}

/* The policy changed: a new version, whose event is to come. */
static void server_changed(void)
{
    server.version++;
    server_push((struct server_event){.text = server_text()});
}

static void server_create(const char *expression)
{
    server.uid++;
    server.generation = 1;
    server.is_there = true;
    server.expression = expression;
    mem_free(server.status);
    server.status = NULL;
    server_changed();
}

static void server_update(const char *expression)
{
    server.generation++;
    server.expression = expression;
    server_changed();
}

static void server_delete(void)
{
    server.is_there = false;
    server.version++;
    server_push((struct server_event){0});
}

/* Somebody else empties the status, and takes our fields with it. */
static void server_overwrite(void)
{
    mem_free(server.status);
    server.status = NULL;
    server_changed();
}

static void server_bind(bool is_bound)
{
    server.is_bound = is_bound;
    server_push((struct server_event){.is_binding = true, .is_bound = is_bound});
}

static void server_reset(void)
{
    for (size_t i = 0; i < server.n_events; i++)
        mem_free(server.events[i].text);
    for (size_t i = 0; i < n_applies; i++)
        mem_free(server.decisions[i].version);
    mem_free(server.status);
    memset(&server, 0, sizeof server);
}

/* What a server decides that takes the request: whether it is about the policy as it is. */
static enum err_code server_take(struct json_object *body)
{
    struct json_object *metadata = jsonval_get(body, "metadata");
    cleanup_mem char *version = mem_printf("%d", server.version), *uid = mem_printf("u%d", server.uid);
    if (!server.is_there)
        return ERR_NOT_FOUND;
    if (strcmp(jsonval_string_or_empty(metadata, "uid"), uid) != 0 ||
        strcmp(jsonval_string_or_empty(metadata, "resourceVersion"), version) != 0)
        return ERR_CONFLICT;
    const char *status = json_object_to_json_string_ext(jsonval_get(body, "status"), JSON_C_TO_STRING_PLAIN);
    if (server.status == NULL || strcmp(server.status, status) != 0) {
        mem_free(server.status);
        server.status = mem_strdup(status);
        server_changed();
    }
    return ERR_NONE;
}

/* code: what becomes of the request beyond what its versions decide; NETWORK: it does not arrive. */
static void server_arrive(size_t call, enum err_code code, int retry_after_ms)
{
    cleanup_json struct json_object *body = NULL;
    struct err err = {0};
    struct server_decision *c = &server.decisions[call];
    const char *text = applies[call].body;
    assert_true(call < n_applies && !c->has_arrived);
    assert_int_equal(jsonval_parse(text, strlen(text), &body, &err), 0);
    c->has_arrived = true;
    c->code = code == ERR_NONE ? server_take(body) : code;
    c->retry_after_ms = retry_after_ms;
    c->version = mem_printf("%d", server.version);
}

/* is_lost: the connection breaks before the caller reads it. */
static void server_answer(size_t call, bool is_lost)
{
    const struct server_decision *c = &server.decisions[call];
    assert_true(call < n_applies && c->has_arrived);
    if (!applies[call].is_open)
        return; /* canceled */
    cleanup_mem char *body = mem_printf("{\"metadata\":{\"resourceVersion\":\"%s\"}}", c->version);
    fakeapi_answer(&applies[call], is_lost ? ERR_NETWORK : c->code, c->retry_after_ms, body);
}

#endif
