/*
 * yaml_edit: changes parts of strings in the text of a YAML or JSON file, and nothing else in it. Pure.
 *
 * A part of a value is found again in the source of its scalar, whose quotes, escapes, folds and indentation
 * stay as they are. Whether the changed file means what it should is tried: yaml_edit_is_only compares its
 * trees with the old ones.
 *
 *     if (yaml_edit_init(&edit, scalar, start, end, "spec.replicas")) {
 *         ... edit.at, edit.end, edit.text ...
 *         yaml_edit_deinit(&edit);
 *     }
 *     char *changed = yaml_edit_apply(bytes, len, edits, count, &changed_len);
 *     if (changed != NULL && yaml_edit_is_only(old, new, edits, count)) write(changed, changed_len);
 */
#ifndef CLIENT_TEXT_YAML_EDIT_H
#define CLIENT_TEXT_YAML_EDIT_H

#include "client/text/yaml.h"

/* A part of a file, and what is to stand there. */
struct yaml_edit {
    struct yaml_place at, end; /* end: behind the last character */
    char *text;                /* as the file has it, with escapes */
    char *old;                 /* the text that stands there, and some bytes before it */
    size_t n_before;           /* how many of old are before the part */
    struct yaml_place scalar;  /* the beginning of the scalar that it is a part of */
};

/* The bytes from start to before end of the scalar's value become the text. Returns false if the part has no
 * place in the file, or the file cannot have the text there. */
bool yaml_edit_init(struct yaml_edit *edit, const struct yaml_node *scalar, size_t start, size_t end,
                    const char *text);
void yaml_edit_deinit(struct yaml_edit *edit);

/* The file with the edits, which are in any order. Returns NULL if two of them overlap, or something else
 * stands in the file, because it has escapes that were rewritten before it was parsed. The caller frees
 * it. */
char *yaml_edit_apply(const char *bytes, size_t len, const struct yaml_edit *edits, size_t count,
                      size_t *changed_len);

struct yaml_edit_text {
    const char *at;
    size_t len;
};

/* Returns true if the two texts have the same trees but for the scalars that the edits changed, which are
 * strings still. Of an object in which no edit is, only a digest is compared. */
bool yaml_edit_is_only(struct yaml_edit_text old, struct yaml_edit_text changed,
                       const struct yaml_edit *edits, size_t count);

#endif
