/*
 * yaml: YAML (or JSON) text to json-c trees, with the place of every node.
 * Pure: bytes in, trees out. The only user of libyaml.
 *
 * Scalars resolve as sigs.k8s.io/yaml does (YAML 1.1: yes, no, on, off are
 * booleans; octal; merge keys). The places are a parallel tree of struct
 * yaml_node, because a JSON null is no json_object. Lines and columns count
 * from 1, columns in code points. A struct yaml owns everything it hands out.
 *
 *     struct yaml *y;
 *     if (yaml_parse(bytes, len, &y, &where, &err) != 0) ...   where says the place
 *     const struct yaml_node *n = yaml_find(yaml_root(y, 0), "spec.validations[0].expression");
 */
#ifndef CLIENT_TEXT_YAML_H
#define CLIENT_TEXT_YAML_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"

enum {
    YAML_TEXT_CAP_BYTES = 64 * 1024 * 1024,
    YAML_DEPTH = 100,                        /* of nodes, aliases expanded */
    YAML_ALIAS_CAP_BYTES = 10 * 1024 * 1024, /* of what aliases expand to */
    YAML_FEW_MEMBERS = 16, /* of a mapping in which yaml_find looks at one after the other */
};

/* 32 bits are enough for a text of YAML_TEXT_CAP_BYTES, which has a node for each few bytes of it. */
struct yaml_place {
    unsigned line;
    unsigned column;
};

static inline struct yaml_place yaml_place_at(size_t line, size_t column)
{
    return (struct yaml_place){(unsigned)line, (unsigned)column};
}

enum yaml_style {
    YAML_COLLECTION, /* a mapping or sequence */
    YAML_PLAIN,
    YAML_SINGLE_QUOTED,
    YAML_DOUBLE_QUOTED,
    YAML_LITERAL, /* | */
    YAML_FOLDED,  /* > */
};

struct yaml_node {
    struct json_object *json; /* borrowed; NULL for null */
    const char *key;          /* in a mapping, else NULL */
    const char *source;       /* the YAML text from `text` on, inside the parsed bytes */
    /* The members of a mapping or the items of a sequence, in order. The members of a mapping with more than
     * YAML_FEW_MEMBERS follow once more, sorted by key, for yaml_find. */
    struct yaml_node *const *children;
    uint32_t n_children;
    uint32_t source_len; /* up to the end of the scalar */
    uint32_t indent;     /* LITERAL and FOLDED: columns of indentation taken from each line */
    enum yaml_style style;
    struct yaml_place start; /* of the value: its first character, the quote or the | included */
    struct yaml_place text;  /* a scalar's first character of content: after the quote, or the
                                first line of a block after its indentation */
    struct yaml_place key_start;
};

struct yaml;

/* The bytes are copied. The caller frees *out with yaml_close. Errors: INVALID (syntax, duplicate
 * key, tab), LIMIT; *where is the place, 0:0 if none; where NULL, the message begins with it. */
int yaml_parse(const char *bytes, size_t len, struct yaml **out, struct yaml_place *where,
               struct err *err) MUST_CHECK;
/* Called with each mapping that is a document, or an item of the list `items` of one. NULL: its tree is
 * needed. Else the answer, which is taken, is all JSON that is left of it, and its nodes are those of the
 * members that are left, as far as each is below a mapping. Only if the whole text can be read is it certain
 * that the object counts. */
typedef struct json_object *yaml_reduce(void *user, const struct yaml_node *object);
/* The same as yaml_parse, for a text that is large, or whose trees would be. reduce NULL: all are needed.
 * *bytes end in a NUL. They are taken, and *bytes is NULL, if the text can be read and is read as it stands;
 * else they are copied. */
int yaml_parse_reduced(char **bytes, size_t len, yaml_reduce *reduce, void *user, struct yaml **out,
                       struct yaml_place *where, struct err *err) MUST_CHECK;
/* Frees the text. There are no lines any more, and no node has a source. */
void yaml_forget_text(struct yaml *yaml);
/* Frees the document, which may be NULL. (libyaml itself exports a yaml_free.) */
void yaml_close(struct yaml *yaml);

/* Documents of the stream; empty ones (comments only) are left out. */
size_t yaml_count(const struct yaml *yaml);
const struct yaml_node *yaml_root(const struct yaml *yaml, size_t index);

size_t yaml_line_count(const struct yaml *yaml);
/* Bytes of the text. */
size_t yaml_text_bytes(const struct yaml *yaml);
/* The nodes of all trees. Each costs some hundred bytes, with its JSON. */
size_t yaml_node_count(const struct yaml *yaml);
/* A line of the parsed text (from 1) without its end; empty where there is none. It is followed by
 * other bytes. */
const char *yaml_line(const struct yaml *yaml, size_t line, size_t *len);

/* The byte of a place within its line; after the end of the line, the length of the line. Ask for places in
 * order: a line can be the whole file, and each call goes on from the last. */
size_t yaml_offset(struct yaml *yaml, struct yaml_place place);

const struct yaml_node *yaml_member(const struct yaml_node *mapping, const char *key);
/* Finds a node by a field path such as "spec.validations[0].expression" or "properties[a.b].type"; NULL if
 * there is no such node. */
const struct yaml_node *yaml_find(const struct yaml_node *root, const char *path);
/* The path by which yaml_find finds the child of this index of the node with the path. The caller frees
 * it. */
char *yaml_child_path(const char *path, const struct yaml_node *parent, size_t index);

/* The place in the file of the character at (line, column) of a string's value; both count from 1, column in
 * code points. Exact for plain one-line, quoted and literal scalars; if folding hides the place, it is the
 * beginning of the line. */
struct yaml_place yaml_place_in(const struct yaml_node *scalar, size_t line, size_t column);

/* The opposite: line and column, in a string's value, of the first character at or after a place in the file;
 * if there is none, the end of the value. */
struct yaml_place yaml_place_of(const struct yaml_node *scalar, struct yaml_place where);

/* The bytes of a string's value before which a new line of the file begins, in order, *count of them. Returns
 * NULL if the value keeps its line ends, or is not a string. The caller frees the list. */
uint32_t *yaml_breaks(const struct yaml_node *scalar, size_t *count);

#endif
