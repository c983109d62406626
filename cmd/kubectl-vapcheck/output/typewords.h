/*
 * typewords: the types of the checker in words for people.
 *
 *     list(Deployment.spec.template.spec.containers.@idx)      list of objects
 *     kubernetes.authorization.ResourceCheck                   ResourceCheck
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_TYPEWORDS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_TYPEWORDS_H

#include <stdbool.h>

#include "typecheck/text.h"

/* "a list of objects", "null". The caller frees it. */
char *typewords_with_article(struct str type);

/* Returns true if the type is a list or a map. */
bool typewords_is_range(struct str type);

/* The operands of a call as the checker writes them: "(int, string)", "string.(int)". */
struct typewords_call {
    struct str target; /* empty: it has none */
    struct str arguments;
};
struct typewords_call typewords_split(struct str operands);
/* Takes the first type off a list of them; false if it is empty. */
bool typewords_next(struct str *list, struct str *type);

#endif
