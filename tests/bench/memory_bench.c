/*
 * memory_bench FILE...: what OpenAPI documents cost in memory.
 *
 * Parses each file as the daemon does, and keeps all schemas. Prints one line
 * of JSON: the resident memory that was added once all are loaded, and the
 * worst peak while a document was parsed, its text included, as a multiple of
 * its size (of those above 100 kB: below that pages and blocks count).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "typecheck/cel/schema/schema_document.h"

#define LEAST_BYTES ((size_t)100 * 1000)

struct bench {
    size_t count, document_bytes, schema_bytes;
    double worst; /* peak over size */
    const char *worst_path;
};

/* A field of /proc/self/status in bytes, such as "VmRSS:". */
static size_t read_status(const char *field)
{
    char line[256];
    unsigned long kib = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        if (strncmp(line, field, strlen(field)) == 0)
            kib = strtoul(line + strlen(field), NULL, 10);
    }
    if (in != NULL)
        fclose(in);
    return kib * 1024;
}

/* Sets VmHWM back to VmRSS. */
static void reset_peak(void)
{
    FILE *out = fopen("/proc/self/clear_refs", "w");
    if (out == NULL || fputs("5", out) < 0 || fclose(out) != 0) {
        perror("/proc/self/clear_refs");
        exit(2);
    }
}

static char *read_text(const char *path, size_t *len)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    *len = (size_t)ftell(in);
    rewind(in);
    char *text = mem_array(*len + 1, 1);
    if (fread(text, 1, *len, in) != *len) {
        perror(path);
        exit(2);
    }
    fclose(in);
    return text;
}

static struct schema *load(struct bench *b, const char *path)
{
    char message[256];
    size_t len, before = read_status("VmRSS:");
    char *text = read_text(path, &len);
    reset_peak();
    struct schema *doc = schema_new(text, len, message, sizeof message, NULL);
    mem_free(text);
    size_t peak = read_status("VmHWM:");
    mem_trim();
    if (doc == NULL) {
        fprintf(stderr, "%s: %s\n", path, message);
        exit(1);
    }
    double times = (double)(peak - before) / (double)len;
    if (getenv("VERBOSE") != NULL)
        fprintf(stderr, "%8zu bytes: schema %7zu bytes, peak %.1f times: %s\n", len, schema_bytes(doc), times,
                path);
    if (len >= LEAST_BYTES && times > b->worst) {
        b->worst = times;
        b->worst_path = path;
    }
    b->count++;
    b->document_bytes += len;
    b->schema_bytes += schema_bytes(doc);
    return doc;
}

int main(int argc, char **argv)
{
    struct bench b = {.worst_path = "none"};
    struct schema **docs = mem_array((size_t)argc, sizeof *docs);
    read_status("VmRSS:"); /* stdio and malloc have started */
    size_t before = read_status("VmRSS:");
    for (int i = 1; i < argc; i++)
        docs[i] = load(&b, argv[i]);
    size_t after = read_status("VmRSS:");
    printf(
        "{\"documents\": %zu, \"document_bytes\": %zu, \"schema_bytes\": %zu, \"resident_bytes_added\": %zu, "
        "\"worst_peak_times\": %.2f, \"worst\": \"%s\"}\n",
        b.count, b.document_bytes, b.schema_bytes, after - before, b.worst, b.worst_path);
    for (int i = 1; i < argc; i++)
        schema_free(docs[i]);
    mem_free(docs);
    return 0;
}
