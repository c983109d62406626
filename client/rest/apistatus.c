#include "client/rest/apistatus.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/text/jsonval.h"

static enum err_code code_of_http(int status)
{
    static const struct {
        int status;
        enum err_code code;
    } rows[] = {
        {401, ERR_UNAUTHORIZED}, {403, ERR_FORBIDDEN}, {404, ERR_NOT_FOUND},
        {408, ERR_TIMEOUT},      {409, ERR_CONFLICT},  {410, ERR_GONE},
        {413, ERR_LIMIT},        {429, ERR_THROTTLED}, {504, ERR_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].status == status)
            return rows[i].code;
    }
    return status >= 500 ? ERR_UNAVAILABLE : status >= 400 ? ERR_INVALID : ERR_PROTOCOL;
}

/* The reason and the text say more than the number: 410 is Expired, a version newer than the server's is a
 * 504 that a list without a version cures just as it cures a 410, and an object that is too large for etcd
 * is a 500. */
static enum err_code code_of_status(int http_status, const char *reason, const char *message)
{
    if (strcmp(reason, "Expired") == 0 || strcmp(reason, "Gone") == 0)
        return ERR_GONE;
    if (http_status == 504 && strstr(message, "Too large resource version"))
        return ERR_GONE;
    if (http_status == 500 && strstr(message, "request is too large"))
        return ERR_LIMIT;
    return code_of_http(http_status);
}

/* "field: message; field: message" */
static void put_causes(struct buf *b, struct json_object *details)
{
    struct json_object *causes = jsonval_array(details, "causes");
    for (size_t i = 0; i < jsonval_length(causes); i++) {
        struct json_object *cause = jsonval_at(causes, i);
        const char *field = jsonval_string_or_empty(cause, "field");
        (void)buf_printf(b, "%s%s%s%s", i ? "; " : "", field, *field ? ": " : "",
                         jsonval_string_or_empty(cause, "message"));
    }
}

static void status_to_err(struct json_object *status, int http_status, int retry_after_ms, struct err *err)
{
    struct json_object *details = jsonval_get(status, "details");
    const char *message = jsonval_string_or_empty(status, "message");
    const char *reason = jsonval_string_or_empty(status, "reason");
    const int code = (int)jsonval_int(status, "code", http_status);
    struct buf text;
    buf_init(&text, APISTATUS_BODY_CAP_BYTES);
    (void)buf_puts(&text, message);
    if (!*message)
        put_causes(&text, details);
    if (text.len == 0)
        (void)buf_puts(&text, *reason ? reason : "the server gave no reason");
    (void)err_set(err, code_of_status(code, reason, message), "HTTP %d: %s", code, text.data);
    err->http_status = code;
    err->retry_after_ms = retry_after_ms >= 0
                              ? retry_after_ms
                              : err_retry_after_ms(jsonval_int(details, "retryAfterSeconds", 0));
    buf_deinit(&text);
}

static bool is_status(struct json_object *object)
{
    const char *kind = jsonval_string(object, "kind");
    return kind && strcmp(kind, "Status") == 0;
}

/* The first line of what a proxy wrote, for a person to recognise it by. */
static int first_line(const char *body, size_t len)
{
    size_t n = 0;
    while (n < len && n < 200 && (unsigned char)body[n] >= ' ')
        n++;
    return (int)n;
}

void apistatus_to_err(int http_status, int retry_after_ms, const char *body, size_t len, struct err *err)
{
    cleanup_json struct json_object *status = NULL;
    struct err ignored;
    if (len <= APISTATUS_BODY_CAP_BYTES && jsonval_parse(body, len, &status, &ignored) == 0 &&
        is_status(status)) {
        status_to_err(status, http_status, retry_after_ms, err);
        err->http_status = http_status;
        return;
    }
    const int n = first_line(body, len);
    (void)err_set(err, code_of_http(http_status), "HTTP %d%s%.*s", http_status, n ? ": " : "", n, body);
    err->http_status = http_status;
    err->retry_after_ms = retry_after_ms > 0 ? retry_after_ms : 0;
}

void apistatus_object_to_err(struct json_object *status, struct err *err)
{
    if (is_status(status))
        status_to_err(status, 0, -1, err);
    else
        (void)err_set(err, ERR_PROTOCOL, "an error event without a Status");
}
