/*
 * repair_words: names of other languages, and misspelled names: startswith, len, None, objct.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_WORDS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_WORDS_H

struct repair_edits;

/* `.startswith(` and `len(`; then names that are near a function's or a macro's. */
void repair_words_methods(struct repair_edits *e);
void repair_words_functions(struct repair_edits *e);
/* `objct`, `oldobject`, `variable.x`, `param.x`; `spec.x` for object.spec.x; in rules of
 * CustomResourceDefinitions `object`. */
void repair_words_roots(struct repair_edits *e);
/* `request.object`, `input.review.object`. */
void repair_words_prefixes(struct repair_edits *e);
/* `object.spec{...}` in mutations. */
void repair_words_types(struct repair_edits *e);
/* `True`, `None`, `nil`, `undefined`. */
void repair_words_literals(struct repair_edits *e);
/* `self.namespace` in rules of CustomResourceDefinitions: self.__namespace__. */
void repair_words_reserved(struct repair_edits *e);
/* A name that is compared is a string without its quotes. */
void repair_words_quotes(struct repair_edits *e);

#endif
