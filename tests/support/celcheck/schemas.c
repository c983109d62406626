#include "tests/support/celcheck/schemas.h"

#include <stdio.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/cel/schema/request_schema.h"
#include "typecheck/cel/schema/schema_document.h"

enum { MAX_DOCUMENTS = 256, PATH_BYTES = 512 };

#define FILE_ARENA_BYTES ((size_t)256 * 1024 * 1024)

static struct schema *documents[MAX_DOCUMENTS];
static size_t document_count;
static struct schema *own; /* of requests */

/* Reads a document. Returns false if it is none. */
static bool read_document(FILE *in, struct arena *a, const char *path, size_t bytes)
{
    if (bytes > SCHEMA_MAX_DOCUMENT_BYTES)
        return false;
    char message[SCHEMA_MESSAGE_BYTES], *json = ARENA_ARRAY(a, bytes, char);
    bool ok = fread(json, 1, bytes, in) == bytes && getc(in) == '\n';
    if (ok && strncmp(path, "/openapi/v3/", strlen("/openapi/v3/")) == 0) {
        struct schema *doc =
            document_count < MAX_DOCUMENTS ? schema_new(json, bytes, message, sizeof message, NULL) : NULL;
        ok = doc != NULL;
        if (ok)
            documents[document_count++] = doc;
    }
    return ok;
}

bool schemas_read(const char *path)
{
    char name[PATH_BYTES], line[PATH_BYTES + sizeof " 4294967295\n"];
    FILE *in = fopen(path, "r");
    struct arena a;
    arena_init(&a, FILE_ARENA_BYTES);
    volatile bool ok = in != NULL && setjmp(a.escape) == 0;
    while (ok && fgets(line, sizeof line, in) != NULL) {
        size_t bytes;
        ok = sscanf(line, "%511s %zu", name, &bytes) == 2 && read_document(in, &a, name, bytes);
    }
    arena_deinit(&a);
    if (in != NULL)
        fclose(in);
    if (!ok)
        fprintf(stderr, "celcheck: %s is no unpacked bundle of schemas\n", path);
    return ok;
}

static struct str member(struct arena *a, struct str json, struct str name)
{
    struct jsonread r;
    struct str found = STR("");
    jsonread_init(&r, json, a);
    if (jsonread_peek(&r) != JSONREAD_OBJECT || !jsonread_open(&r))
        return found;
    for (struct str key; jsonread_member(&r, &key);) {
        if (str_eq(key, name) && jsonread_peek(&r) == JSONREAD_STRING)
            found = jsonread_string(&r);
        else
            jsonread_skip(&r);
    }
    return found;
}

struct policy_run_type schemas_of_object(struct arena *a, struct str json)
{
    struct str version = member(a, json, STR("apiVersion")), kind = member(a, json, STR("kind"));
    struct str group = STR("");
    const char *slash = memchr(version.at, '/', version.len);
    if (slash != NULL) {
        group = (struct str){version.at, (size_t)(slash - version.at)};
        version = (struct str){slash + 1, version.len - group.len - 1};
    }
    for (size_t i = 0; i < document_count; i++) {
        const struct schema_node *root = schema_find(documents[i], group, version, kind);
        if (root != NULL)
            return (struct policy_run_type){documents[i], root};
    }
    return (struct policy_run_type){NULL, NULL};
}

bool schemas_go_type(struct arena *a, struct str variable, struct str json, struct go_type *out)
{
    if (str_eq(variable, STR("request"))) {
        own = own == NULL ? request_schema_new() : own;
        if (own != NULL)
            *out = request_schema_request(own);
        return own != NULL;
    }
    struct policy_run_type type = schemas_of_object(a, json);
    return type.root != NULL && go_type_of_resource(type.doc, type.root, out);
}

void schemas_free(void)
{
    schema_free(own);
    while (document_count > 0)
        schema_free(documents[--document_count]);
}
