#include "controller/match/connect.h"

#include <stddef.h>
#include <string.h>

#include "client/base/buf.h"
#include "typecheck/schema.h"

#define DOCUMENT_CAP_BYTES ((size_t)64 * 1024)

#define STRING     "{\"type\":\"string\"}"
#define BOOL       "{\"type\":\"boolean\"}"
#define LIST(item) "{\"type\":\"array\",\"items\":" item "}"
#define INTEGER    "{\"type\":\"integer\"}"
#define STREAM_FIELDS                                                                                        \
    "\"stdin\":" BOOL ",\"stdout\":" BOOL ",\"stderr\":" BOOL ",\"tty\":" BOOL ",\"container\":" STRING
#define COMMAND_FIELDS ",\"command\":" LIST(STRING)

/* k8s.io/api/core/v1/types.go */
static const struct {
    const char *kind, *fields;
} options[] = {
    {"PodAttachOptions", STREAM_FIELDS},
    {"PodExecOptions", STREAM_FIELDS COMMAND_FIELDS},
    {"PodPortForwardOptions", "\"ports\":" LIST(INTEGER)},
    {"PodProxyOptions", "\"path\":" STRING},
    {"NodeProxyOptions", "\"path\":" STRING},
    {"ServiceProxyOptions", "\"path\":" STRING},
};

enum { N_OPTIONS = sizeof options / sizeof *options };

bool connect_brings(const char *kind)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (strcmp(kind, options[i].kind) == 0)
            return true;
    }
    return false;
}

struct schema *connect_schemas(void)
{
    char message[200];
    cleanup_buf struct buf text;
    buf_init(&text, DOCUMENT_CAP_BYTES);
    buf_puts(&text, "{\"components\":{\"schemas\":{");
    for (size_t i = 0; i < N_OPTIONS; i++)
        buf_printf(
            &text,
            "%s\"%s\":{\"type\":\"object\",\"x-vapcheck-no-metadata\":true,"
            "\"properties\":{\"kind\":" STRING ",\"apiVersion\":" STRING ",%s},"
            "\"x-kubernetes-group-version-kind\":[{\"group\":\"\",\"version\":\"v1\",\"kind\":\"%s\"}]}",
            i == 0 ? "" : ",", options[i].kind, options[i].fields, options[i].kind);
    buf_puts(&text, "}}}");
    return schema_new(text.data, text.len, message, sizeof message, NULL);
}
