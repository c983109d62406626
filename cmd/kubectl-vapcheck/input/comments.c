#include "cmd/kubectl-vapcheck/input/comments.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "controller/findings/suppress.h"
#include "typecheck/text.h"

static const char blanks[] = " \t", mark[] = "vapcheck:", directive[] = "ignore";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The index of the first character that is no blank. */
static size_t skip_blanks(const char *line, size_t len, size_t at)
{
    while (at < len && is_blank(line[at]))
        at++;
    return at;
}

/* Returns true if the line, which is no text's, is a comment. */
static bool is_comment(const char *line, size_t len)
{
    const size_t at = skip_blanks(line, len, 0);
    return at < len && line[at] == '#';
}

/* The index of the hash of a comment for this program; len: there is none. */
static size_t find_hash(const char *line, size_t len)
{
    if (memmem(line, len, mark, sizeof mark - 1) == NULL)
        return len;
    for (size_t at = 0; at < len; at++) {
        if (line[at] != '#' || (at > 0 && !is_blank(line[at - 1])))
            continue;
        const size_t behind = skip_blanks(line, len, at + 1);
        if (len - behind >= sizeof mark - 1 && memcmp(line + behind, mark, sizeof mark - 1) == 0)
            return at;
    }
    return len;
}

/* The first comment at or behind the byte. */
static size_t first_behind(const struct comments *comments, const char *byte)
{
    size_t from = 0, to = comments->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (comments->items[middle].byte < byte)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Forgets comments within the node's texts, which are no comments. */
static void forget_texts(const struct comments *comments, const struct yaml_node *node)
{
    const char *end = node->style == YAML_COLLECTION ? NULL : node->source + node->source_len;
    for (size_t i = 0; i < node->n_children; i++)
        forget_texts(comments, node->children[i]);
    if (end == NULL)
        return;
    for (size_t i = first_behind(comments, node->source); i < comments->count; i++) {
        if (comments->items[i].byte >= end)
            break;
        mem_free(comments->items[i].problem);
        comments->items[i].problem = NULL;
        comments->items[i].ignored = (struct finding_set){0};
    }
}

/* The identifiers end at a blank that is not beside a comma; the rest is for people. */
static size_t list_len(const char *list)
{
    size_t len = 0;
    for (;;) {
        len += strcspn(list + len, " \t");
        const size_t next = len + strspn(list + len, blanks);
        if (list[next] != ',' && (len == 0 || list[len - 1] != ','))
            return len;
        if (list[next] == '\0')
            return len;
        len = list[next] == ',' ? next + 1 : next;
    }
}

/* Reads "ignore undefined-field", which follows "vapcheck:". Returns false if the comment is about something
 * else. */
static bool read_directive(const char *text, struct comment *out)
{
    const size_t len = strcspn(text, blanks);
    cleanup_mem char *word = mem_strndup(text, len);
    struct err err = {0};
    if (strcmp(word, directive) != 0) {
        struct suggest near;
        suggest_init(&near, word);
        suggest_offer(&near, directive);
        out->problem =
            near.best == NULL ? NULL : mem_printf("\"%s\" means nothing, did you mean %s?", word, directive);
        return near.best != NULL;
    }
    text += len + strspn(text + len, blanks);
    cleanup_mem char *list = mem_strndup(text, list_len(text));
    if (suppress_read(list, &out->ignored, &err) != 0)
        out->problem = mem_strdup(err.msg);
    return true;
}

/* A comment for us, whatever line it is about. */
static bool read_comment(const struct yaml *yaml, size_t number, struct comment *out)
{
    size_t len;
    const char *line = yaml_line(yaml, number, &len);
    const size_t hash = find_hash(line, len);
    if (hash == len)
        return false;
    cleanup_mem char *text = mem_strndup(line, len);
    const char *behind = text + skip_blanks(text, len, hash + 1) + sizeof mark - 1;
    *out = (struct comment){.at = yaml_place_at(number, utf8_count(line, hash) + 1), .byte = line + hash};
    return read_directive(behind + strspn(behind, blanks), out);
}

/* The last ones are about the line. */
static void set_line(const struct comments *comments, size_t count, size_t line)
{
    for (; count > 0; count--)
        comments->items[comments->count - count].line = line;
}

bool comments_may_be_in(const char *text, size_t len)
{
    return memmem(text, len, mark, sizeof mark - 1) != NULL;
}

/* Returns true if any line has the mark; most files have none. */
static bool has_mark(const struct yaml *yaml)
{
    size_t len;
    const char *first = yaml_line(yaml, 1, &len);
    const char *last = yaml_line(yaml, yaml_line_count(yaml), &len);
    return comments_may_be_in(first, (size_t)(last + len - first));
}

void comments_read(struct comments *comments, const struct yaml *yaml)
{
    size_t pending = 0; /* comments whose line is still to come */
    *comments = (struct comments){0};
    if (yaml_line_count(yaml) == 0 || !has_mark(yaml))
        return;
    for (size_t number = 1; number <= yaml_line_count(yaml); number++) {
        size_t len;
        const char *line = yaml_line(yaml, number, &len);
        struct comment found;
        if (!is_comment(line, len)) {
            set_line(comments, pending, number);
            pending = 0;
        }
        if (!read_comment(yaml, number, &found))
            continue;
        found.line = number;
        comments->items = mem_realloc(comments->items, comments->count + 1, sizeof *comments->items);
        comments->items[comments->count++] = found;
        pending += is_comment(line, len);
    }
    set_line(comments, pending, yaml_line_count(yaml) + 1);
    for (size_t i = 0; comments->count > 0 && i < yaml_count(yaml); i++)
        forget_texts(comments, yaml_root(yaml, i));
}

void comments_deinit(struct comments *comments)
{
    for (size_t i = 0; i < comments->count; i++)
        mem_free(comments->items[i].problem);
    mem_free(comments->items);
    *comments = (struct comments){0};
}

/* Returns true if the node, or its name, begins in the line. */
static bool begins_in(const struct yaml_node *node, size_t line)
{
    return node->style != YAML_COLLECTION &&
           (node->start.line == line || (node->key != NULL && node->key_start.line == line));
}

bool comments_ignore(struct comments *comments, enum finding_id id, struct yaml_place at,
                     const struct yaml_node *node)
{
    bool is_ignored = false;
    for (size_t i = 0; i < comments->count; i++) {
        struct comment *c = &comments->items[i];
        if (!finding_set_has(c->ignored, id) ||
            (c->line != at.line && (node == NULL || !begins_in(node, c->line))))
            continue;
        finding_set_add(&c->used, id);
        is_ignored = true;
    }
    return is_ignored;
}
