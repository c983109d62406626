/*
 * hints: corrections of failing expressions that were tried before they are shown.
 *
 * typecheck/policy/author/repair makes expressions without the usual mistakes of authors.
 * Here, each of them replaces the failing expression, and the object is checked
 * again: as the API server does when it is created, and against the types that
 * it matches. An expression becomes a hint only if the object is then accepted
 * and has no finding at the place of the change, and if the expression can be
 * both true and false. All trials for one object share one budget of steps. The
 * daemon searches in slices (hints_start), so that its loop can turn in between.
 *
 *     struct hints h;
 *     hints_of_policy(&cluster, policy, &refusals, result, &h);
 *     ... hints_get(&h, "spec.validations[0].expression", NULL) ...
 *     hints_deinit(&h);
 */
#ifndef CONTROLLER_HINTS_HINTS_H
#define CONTROLLER_HINTS_HINTS_H

#include <stddef.h>
#include <stdint.h>

#include "client/base/keymap.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/findings/check.h"
#include "controller/hints/hints_search.h"

/* Steps of all trials for one object, as typecheck_step counts them. */
#define HINTS_MAX_STEPS ((uint64_t)6 * 1000 * 1000)

struct hints_run;

/* The cluster that the object is checked against. */
struct hints_cluster {
    const struct discovery *discovery;
    const struct env *env, *new_env; /* of stored and of new expressions */
    check_lookup *lookup;
    void *user;
    struct types_options types; /* used with scope full, whatever its scope is */
};

struct hints {
    struct keymap list; /* of struct hint, by field */
};

/* Looks for hints for the expressions that are refused, or have warnings of scope full. If `result` is of
 * another scope, only for those that are refused. */
void hints_of_policy(const struct hints_cluster *cluster, const struct policyview *policy,
                     const struct fielderrors *refusals, const struct check_result *result,
                     struct hints *out);
/* The same in slices, with a budget of the caller's. All arguments but `refusals`, which may be NULL, must
 * outlive the run, and what `cluster` names must not change meanwhile. */
struct hints_run *hints_start(const struct hints_cluster *cluster, const struct policyview *policy,
                              const struct fielderrors *refusals, const struct check_result *result,
                              uint64_t max_steps);
/* Does about `steps` of work. Returns true if there is more to do. */
bool hints_step(struct hints_run *run, uint64_t steps);
uint64_t hints_steps(const struct hints_run *run); /* that were spent so far */
/* About how much memory the run holds between two calls of hints_step; NULL holds nothing. */
size_t hints_bytes(const struct hints_run *run);
/* The hints of the run so far. They belong to the run. */
struct hints *hints_found(struct hints_run *run);
void hints_end(struct hints_run *run); /* ends the search, which may be NULL */

/* Looks for hints for the refused rules of a CustomResourceDefinition. The definition is unchanged
 * afterwards. */
void hints_of_definition(const struct hints_cluster *cluster, struct json_object *definition,
                         const struct fielderrors *refusals, struct hints *out);
struct yaml_node;
/* Looks for hints for expressions in a configuration file of an API server, or for selectors of devices. */
void hints_of_configuration(const struct hints_cluster *cluster, const struct yaml_node *root,
                            const struct fielderrors *refusals, struct hints *out);
/* Takes the hint, which may be NULL. */
void hints_put(struct hints *h, const char *field, struct hint *hint);
/* The text of the hint for a field; NULL if none is certain. `before` (may be NULL) is a hint that comes
 * first. */
const char *hints_get(struct hints *h, const char *field, const char *before);
/* The hint that is shown with a warning: the hint for its field, or else the one of the check. It is "" if an
 * issue's message already has it. */
const char *hints_of_warning(struct hints *h, const struct policyview *policy, const struct check_warning *w);
/* The same for each warning of a result. The caller frees the list; the texts are borrowed. */
const char **hints_of_warnings(struct hints *h, const struct policyview *policy,
                               const struct check_result *result);
/* The offset at which the hint for a field begins to change the expression; 0 if it is not known. */
uint32_t hints_offset(const struct hints *h, const char *field);
/* Returns true if the server's message about an issue already has the hint; `about` is the subject of the
 * issue. */
bool hints_repeats(const char *hint, const struct issue_packed *about);
void hints_deinit(struct hints *h);

#endif
