#include "client/rpc/rpcmessage.h"

#include "client/text/jsonval.h"

/* Returns true if an id is what it may be, a text or a number. */
static bool is_id(struct json_object *id)
{
    return json_object_is_type(id, json_type_string) || json_object_is_type(id, json_type_int) ||
           json_object_is_type(id, json_type_double);
}

static bool is_structure(struct json_object *params)
{
    return json_object_is_type(params, json_type_object) || json_object_is_type(params, json_type_array);
}

enum rpcmessage_code rpcmessage_read(const char *bytes, size_t len, struct rpcmessage *out)
{
    struct json_object *id = NULL;
    *out = (struct rpcmessage){.method = ""};
    if (jsonval_parse(bytes, len, &out->tree, NULL) != 0)
        return RPCMESSAGE_PARSE_ERROR;
    const bool has_id =
        json_object_is_type(out->tree, json_type_object) && json_object_object_get_ex(out->tree, "id", &id);
    const char *method = jsonval_string(out->tree, "method");
    out->id = is_id(id) ? id : NULL;
    out->params = jsonval_get(out->tree, "params");
    out->is_response = method == NULL && has_id &&
                       (json_object_object_get_ex(out->tree, "result", NULL) ||
                        json_object_object_get_ex(out->tree, "error", NULL));
    out->is_request = has_id && !out->is_response;
    if (!jsonval_is(out->tree, "jsonrpc", "2.0") || (method == NULL && !out->is_response) ||
        (out->is_request && out->id == NULL) || (out->params != NULL && !is_structure(out->params)))
        return RPCMESSAGE_INVALID_REQUEST;
    out->method = method == NULL ? "" : method;
    return RPCMESSAGE_OK;
}

void rpcmessage_deinit(struct rpcmessage *m)
{
    json_object_put(m->tree);
    *m = (struct rpcmessage){.method = ""};
}

static struct json_object *new_message(void)
{
    struct json_object *message = json_object_new_object();
    jsonval_set(message, "jsonrpc", json_object_new_string("2.0"));
    return message;
}

struct json_object *rpcmessage_result(struct json_object *id, struct json_object *take_result)
{
    struct json_object *message = new_message();
    jsonval_set(message, "id", json_object_get(id));
    jsonval_set(message, "result", take_result);
    return message;
}

struct json_object *rpcmessage_error(struct json_object *id, enum rpcmessage_code code, const char *text)
{
    struct json_object *message = new_message(), *error = json_object_new_object();
    jsonval_set(message, "id", json_object_get(id));
    jsonval_set(error, "code", json_object_new_int(code));
    jsonval_set(error, "message", json_object_new_string(text));
    jsonval_set(message, "error", error);
    return message;
}

struct json_object *rpcmessage_notification(const char *method, struct json_object *take_params)
{
    struct json_object *message = new_message();
    jsonval_set(message, "method", json_object_new_string(method));
    jsonval_set(message, "params", take_params);
    return message;
}
