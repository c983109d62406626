/*
 * hidden_comments: the comments in the expressions of a YAML file that hide what stands in a later line of it
 * (typecheck/policy/author/repair/hidden_comment.h).
 *
 *     struct hidden_comments hidden;
 *     hidden_comments_init(&hidden, env, &place, refusals);
 *     for (size_t i = 0; i < hidden.count; i++) report(&hidden.items[i]);
 *     hidden_comments_deinit(&hidden);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_HIDDEN_COMMENTS_H
#define CMD_KUBECTL_VAPCHECK_CHECK_HIDDEN_COMMENTS_H

#include "cmd/kubectl-vapcheck/output/output.h"
#include "typecheck/version.h"

/* The hint: it says what to write instead. */
#define HIDDEN_COMMENTS_HINT "write the expression as a block that begins with |, which keeps the line ends"

struct hidden_comments {
    struct output_extra *items;
    size_t count;
    char **owned; /* the texts of the items */
    size_t n_owned;
    uint64_t left; /* of the steps for one object */
    const struct env *env;
};

/* Finds those of the object at the place, without those of fields that are refused. env: for its grammar. */
void hidden_comments_init(struct hidden_comments *hidden, const struct env *env,
                          const struct output_place *place, const struct fielderrors *refusals);
void hidden_comments_deinit(struct hidden_comments *hidden);

/* Returns true if the scalar is an expression that has one, even if what is left of it does not parse. */
bool hidden_comments_has(const struct env *env, const struct yaml_node *scalar);

#endif
