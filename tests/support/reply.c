#include "tests/support/reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/text/jsonval.h"
#include "client/text/yaml_write.h"

void reply_object(struct reply *reply, int status, struct json_object *value, bool is_yaml)
{
    reply->status = status;
    reply->content_type = is_yaml ? "application/yaml" : "application/json";
    buf_reset(&reply->body);
    if (is_yaml)
        yaml_write(&reply->body, value);
    else
        buf_puts(&reply->body, json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE));
}

struct json_object *reply_value(const char *fmt, ...)
{
    char json[4096];
    struct json_object *value = NULL;
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(json, sizeof json, fmt, args);
    va_end(args);
    for (char *p = json; (p = strchr(p, '\'')) != NULL;)
        *p = '"';
    if (len < 0 || (size_t)len >= sizeof json || jsonval_parse(json, (size_t)len, &value, NULL) != 0)
        return NULL;
    return value;
}

int reply_problem(struct reply *reply, int status, const char *reason, const char *fmt, ...)
{
    char message[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    cleanup_json struct json_object *value = reply_value(
        "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure','reason':'%s','code':%d}",
        reason, status);
    json_object_object_add(value, "message", json_object_new_string(message));
    reply_object(reply, status, value, false);
    return -1;
}
