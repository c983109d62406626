#include "cmd/kubectl-vapcheck/check/baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

enum { VERSION = 2, CAP_BYTES = 64 * 1024 * 1024, FILE_MODE = 0666 };

struct entry {
    char *id, *object, *field, *subject, *message;
    bool occurs;
};

struct baseline {
    bool is_new;
    struct entry **entries;
    size_t count;
    struct keymap by_key;
    struct keymap objects; /* that were checked */
};

static char *key_of(const struct output_entry *e)
{
    return mem_printf("%s\n%s\n%s\n%s", e->object, e->field, e->id, e->subject);
}

static struct entry *add(struct baseline *b, const struct output_entry *given)
{
    cleanup_mem char *key = key_of(given);
    struct entry *e = mem_zalloc(sizeof *e);
    *e = (struct entry){mem_strdup(given->id),      mem_strdup(given->object),  mem_strdup(given->field),
                        mem_strdup(given->subject), mem_strdup(given->message), false};
    b->entries = mem_realloc(b->entries, b->count + 1, sizeof(void *));
    b->entries[b->count++] = e;
    keymap_put(&b->by_key, key, e);
    return e;
}

struct baseline *baseline_new(void)
{
    struct baseline *b = mem_zalloc(sizeof *b);
    b->is_new = true;
    return b;
}

void baseline_free(struct baseline *b)
{
    if (b == NULL)
        return;
    for (size_t i = 0; i < b->count; i++) {
        mem_free(b->entries[i]->id);
        mem_free(b->entries[i]->object);
        mem_free(b->entries[i]->field);
        mem_free(b->entries[i]->subject);
        mem_free(b->entries[i]->message);
        mem_free(b->entries[i]);
    }
    mem_free(b->entries);
    keymap_deinit(&b->by_key, NULL);
    keymap_deinit(&b->objects, NULL);
    mem_free(b);
}

static int read_entries(struct baseline *b, const char *path, struct json_object *json, struct err *err)
{
    struct json_object *list = jsonval_array(json, "findings");
    if (jsonval_int(json, "version", 0) != VERSION || list == NULL)
        return err_set(err, ERR_INVALID, "%s: this is no baseline of version %d; --write-baseline writes one",
                       path, VERSION);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *one = jsonval_at(list, i);
        const struct output_entry entry = {
            jsonval_string_or_empty(one, "id"), jsonval_string_or_empty(one, "object"),
            jsonval_string_or_empty(one, "field"), jsonval_string_or_empty(one, "subject"),
            jsonval_string_or_empty(one, "message")};
        if (finding_of_name(entry.id) == FINDING_COUNT)
            return err_set(err, ERR_INVALID, "%s: findings[%zu]: \"%s\" is no finding", path, i, entry.id);
        add(b, &entry);
    }
    return 0;
}

int baseline_read(const char *path, struct baseline **out, struct err *err)
{
    cleanup_mem char *text = NULL;
    cleanup_json struct json_object *json = NULL;
    size_t len;
    if (file_read(path, CAP_BYTES, &text, &len, err) != 0)
        return -1;
    if (jsonval_parse(text, len, &json, err) != 0)
        return err_prefix(err, "%s", path);
    struct baseline *b = mem_zalloc(sizeof *b);
    if (read_entries(b, path, json, err) != 0) {
        baseline_free(b);
        return -1;
    }
    *out = b;
    return 0;
}

void baseline_restart(struct baseline *b)
{
    keymap_deinit(&b->objects, NULL);
    b->objects = (struct keymap){0};
    for (size_t i = 0; i < b->count; i++)
        b->entries[i]->occurs = false;
}

void baseline_expect(struct baseline *b, const char *object)
{
    keymap_put(&b->objects, object, b);
}

bool baseline_takes(struct baseline *b, const struct output_entry *given)
{
    cleanup_mem char *key = key_of(given);
    struct entry *e = keymap_get(&b->by_key, key);
    if (e == NULL && b->is_new)
        e = add(b, given);
    if (e != NULL)
        e->occurs = true;
    return e != NULL;
}

struct output_entry *baseline_find_stale(const struct baseline *b, size_t *count)
{
    struct output_entry *list = mem_array(b->count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < b->count; i++) {
        const struct entry *e = b->entries[i];
        if (!e->occurs && keymap_get(&b->objects, e->object) != NULL)
            list[(*count)++] = (struct output_entry){e->id, e->object, e->field, e->subject, e->message};
    }
    return list;
}

size_t baseline_count(const struct baseline *b)
{
    return b->count;
}

/* ---- writing ---- */

static int compare(const void *a, const void *b)
{
    const struct entry *one = *(struct entry *const *)a, *two = *(struct entry *const *)b;
    int order = strcmp(one->object, two->object);
    order = order != 0 ? order : strcmp(one->field, two->field);
    order = order != 0 ? order : strcmp(one->id, two->id);
    return order != 0 ? order : strcmp(one->subject, two->subject);
}

static void put_member(struct buf *text, const char *before, const char *name, const char *value)
{
    buf_printf(text, "%s\"%s\": ", before, name);
    buf_put_json(text, value, strlen(value));
}

static int write_all(int file, const char *bytes, size_t len)
{
    while (len > 0) {
        const ssize_t n = write(file, bytes, len);
        if (n < 0 && errno != EINTR)
            return -1;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int baseline_write(const struct baseline *b, const char *path, struct err *err)
{
    cleanup_buf struct buf text;
    buf_init(&text, CAP_BYTES);
    if (b->count > 0)
        qsort(b->entries, b->count, sizeof(void *), compare);
    buf_printf(&text, "{\"version\": %d, \"findings\": [\n", VERSION);
    for (size_t i = 0; i < b->count; i++) {
        const struct entry *e = b->entries[i];
        put_member(&text, "{", "id", e->id);
        put_member(&text, ", ", "object", e->object);
        put_member(&text, ", ", "field", e->field);
        put_member(&text, ", ", "subject", e->subject);
        put_member(&text, ", ", "message", e->message);
        buf_puts(&text, i + 1 == b->count ? "}\n" : "},\n");
    }
    buf_puts(&text, "]}\n");
    if (text.is_full)
        return err_set(err, ERR_LIMIT, "%s: a baseline has at most %d bytes", path, CAP_BYTES);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    const int failed = file == -1 || write_all(file, text.data, text.len) != 0 ? errno : 0;
    if (file != -1 && close(file) != 0 && failed == 0)
        return err_set(err, ERR_INVALID, "%s: %s", path, strerror(errno));
    return failed == 0 ? 0 : err_set(err, ERR_INVALID, "%s: %s", path, strerror(failed));
}
