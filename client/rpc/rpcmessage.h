/*
 * rpcmessage: a message of JSON-RPC 2.0, and the answers to it. Pure.
 *
 *     enum rpcmessage_code code = rpcmessage_read(bytes, len, &m);
 *     if (code != RPCMESSAGE_OK)
 *         answer = rpcmessage_error(m.id, code, "the message is no request");
 *     else if (m.is_request)
 *         answer = rpcmessage_result(m.id, result);
 *     rpcmessage_deinit(&m);
 */
#ifndef CLIENT_RPC_RPCMESSAGE_H
#define CLIENT_RPC_RPCMESSAGE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

enum rpcmessage_code {
    RPCMESSAGE_OK = 0,
    RPCMESSAGE_PARSE_ERROR = -32700,
    RPCMESSAGE_INVALID_REQUEST = -32600,
    RPCMESSAGE_METHOD_NOT_FOUND = -32601,
    RPCMESSAGE_INVALID_PARAMS = -32602,
    RPCMESSAGE_NOT_INITIALIZED = -32002, /* this and the next: Language Server Protocol */
    RPCMESSAGE_CANCELED = -32800,
};

struct rpcmessage {
    struct json_object *tree;
    bool is_request;            /* it has an id, and wants an answer */
    bool is_response;           /* to a request of ours */
    struct json_object *id;     /* of a request: a text or a number; NULL: null */
    const char *method;         /* "" in a response */
    struct json_object *params; /* an object or an array; NULL: none */
};

/* The caller deinits *out, whatever the result. PARSE_ERROR: no JSON; INVALID_REQUEST: JSON, but no message
 * of JSON-RPC; the id is set if there is one. */
enum rpcmessage_code rpcmessage_read(const char *bytes, size_t len, struct rpcmessage *out);
void rpcmessage_deinit(struct rpcmessage *message);

/* The caller puts each result. The functions keep a reference to the id of their own, and take the arguments
 * that are called so. */
struct json_object *rpcmessage_result(struct json_object *id, struct json_object *take_result);
struct json_object *rpcmessage_error(struct json_object *id, enum rpcmessage_code code, const char *message);
struct json_object *rpcmessage_notification(const char *method, struct json_object *take_params);

#endif
