#include "client/rest/listcut.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

void listcut_init(struct listcut *cut, size_t item_cap_bytes)
{
    *cut = (struct listcut){.state = LISTCUT_BEGIN};
    gathered_init(&cut->part, item_cap_bytes);
    cut->resource_version = mem_strdup("");
    cut->continue_token = mem_strdup("");
}

void listcut_deinit(struct listcut *cut)
{
    gathered_deinit(&cut->part);
    mem_free(cut->resource_version);
    mem_free(cut->continue_token);
}

static int malformed(struct err *err, const char *what)
{
    return err_set(err, ERR_PROTOCOL, "malformed list: %s", what);
}

/* The beginning is enough only of an item: a key or the metadata must be whole. */
static int check_whole(const struct listcut *cut, bool is_cut, struct err *err)
{
    if (!is_cut || cut->state == LISTCUT_ITEM)
        return 0;
    return err_set(err, ERR_LIMIT, "a key or the metadata of the list is longer than %zu bytes",
                   cut->part.text.cap_bytes);
}

static int read_metadata(struct listcut *cut, const char *bytes, size_t len, struct err *err)
{
    cleanup_json struct json_object *metadata = NULL;
    if (jsonval_parse(bytes, len, &metadata, err) != 0)
        return err_prefix(err, "metadata of the list");
    mem_free(cut->resource_version);
    mem_free(cut->continue_token);
    cut->resource_version = mem_strdup(jsonval_string_or_empty(metadata, "resourceVersion"));
    cut->continue_token = mem_strdup(jsonval_string_or_empty(metadata, "continue"));
    return 0;
}

/* A value, key or item is complete: its text is what was gathered and then [from, to). */
static int complete(struct listcut *cut, const char *from, const char *to, listcut_on_item *on_item,
                    void *user, struct err *err)
{
    const char *text = from;
    size_t len = (size_t)(to - from);
    if (cut->part.text.len > 0 || gathered_is_too_long(&cut->part, len)) {
        gathered_add(&cut->part, from, len);
        text = cut->part.text.data;
        len = cut->part.text.len;
    }
    int result = check_whole(cut, cut->part.is_cut, err);
    if (result != 0)
        return result;
    if (cut->state == LISTCUT_NAME) {
        const size_t keep = len - 2 < sizeof cut->name ? len - 2 : sizeof cut->name - 1;
        memcpy(cut->name, text + 1, keep);
        cut->name[keep] = '\0';
    } else if (cut->state == LISTCUT_ITEM) {
        cut->barren_bytes = 0;
        result = on_item(user, text, len, cut->part.is_cut, err);
    } else if (strcmp(cut->name, "metadata") == 0) {
        result = read_metadata(cut, text, len, err);
    }
    gathered_reset(&cut->part);
    return result;
}

/* Members other than metadata are passed over, however long. */
static bool is_gathered(const struct listcut *cut)
{
    return cut->state == LISTCUT_NAME || cut->state == LISTCUT_ITEM ||
           (cut->state == LISTCUT_MEMBER && strcmp(cut->name, "metadata") == 0);
}

static void enter_value(struct listcut *cut, enum listcut_state state)
{
    cut->state = state;
    jsonscan_start(&cut->scan);
}

/* A byte between values. Returns 1 if it begins a value that the scan must see. */
static int step_between(struct listcut *cut, char c, struct err *err)
{
    if (jsonscan_is_space(c))
        return 0;
    switch (cut->state) {
    case LISTCUT_BEGIN:
        if (c != '{')
            return malformed(err, "no object");
        cut->state = LISTCUT_KEY;
        return 0;
    case LISTCUT_KEY:
        if (c == '}')
            cut->state = LISTCUT_END;
        else if (c == '"')
            return enter_value(cut, LISTCUT_NAME), 1;
        else if (c != ',')
            return malformed(err, "no key where one belongs");
        return 0;
    case LISTCUT_COLON:
        if (c != ':')
            return malformed(err, "no colon behind a key");
        cut->state = LISTCUT_VALUE;
        return 0;
    case LISTCUT_VALUE:
        if (strcmp(cut->name, "items") == 0 && c == '[') {
            cut->state = LISTCUT_ITEMS;
            return 0;
        }
        return enter_value(cut, LISTCUT_MEMBER), 1;
    case LISTCUT_ITEMS:
        if (c == ']')
            cut->state = LISTCUT_KEY;
        else if (c != ',')
            return enter_value(cut, LISTCUT_ITEM), 1;
        return 0;
    case LISTCUT_END:
        return malformed(err, "text behind the end");
    case LISTCUT_NAME:
    case LISTCUT_MEMBER:
    case LISTCUT_ITEM:
        break;
    }
    return 1;
}

static bool is_inside(const struct listcut *cut)
{
    return cut->state == LISTCUT_NAME || cut->state == LISTCUT_MEMBER || cut->state == LISTCUT_ITEM;
}

/* A byte that is no item's: a server has no reason to send many of them. */
static int count_barren(struct listcut *cut, struct err *err)
{
    if (cut->state == LISTCUT_ITEM || ++cut->barren_bytes <= LISTCUT_BARREN_CAP_BYTES)
        return 0;
    return err_set(err, ERR_LIMIT, "a list with more than %d bytes outside of its items",
                   LISTCUT_BARREN_CAP_BYTES);
}

static void leave_value(struct listcut *cut)
{
    if (cut->state == LISTCUT_NAME)
        cut->state = LISTCUT_COLON;
    else
        cut->state = cut->state == LISTCUT_ITEM ? LISTCUT_ITEMS : LISTCUT_KEY;
}

int listcut_feed(struct listcut *cut, const char *bytes, size_t len, listcut_on_item *on_item, void *user,
                 struct err *err)
{
    const char *end = bytes + len;
    const char *from = bytes; /* the beginning of the value in this chunk */
    for (const char *at = bytes; at < end;) {
        if (count_barren(cut, err) != 0)
            return -1;
        if (!is_inside(cut)) {
            const int begins = step_between(cut, *at, err);
            if (begins < 0)
                return -1;
            from = at;
            if (begins == 0) {
                at++;
                continue;
            }
        }
        const enum jsonscan_where where = jsonscan_step(&cut->scan, *at);
        if (where != JSONSCAN_AFTER)
            at++;
        else if (at == from && cut->part.text.len == 0)
            return malformed(err, "no value where one belongs");
        if (where == JSONSCAN_INSIDE)
            continue;
        if (is_gathered(cut) && complete(cut, from, at, on_item, user, err) != 0)
            return -1;
        leave_value(cut);
    }
    if (!is_inside(cut) || !is_gathered(cut))
        return 0;
    gathered_add(&cut->part, from, (size_t)(end - from));
    return check_whole(cut, cut->part.is_cut, err);
}

int listcut_end(struct listcut *cut, struct err *err)
{
    return cut->state == LISTCUT_END ? 0 : malformed(err, "it ends in the middle");
}
