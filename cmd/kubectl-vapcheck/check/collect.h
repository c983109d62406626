/*
 * collect: an output format that keeps the results of each object in memory, so that they can be compared
 * with the results for another version of Kubernetes.
 *
 *     struct collection all = {0};
 *     check_inputs(&(struct check_request){.output = collect_output(&all), ...}, &inputs);
 *     const struct collected *one = collect_find(&all, key);
 *     collect_deinit(&all);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_COLLECT_H
#define CMD_KUBECTL_VAPCHECK_CHECK_COLLECT_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/findings/versiondiff.h"

struct collected {
    char *key; /* which object of which file it is, the same in each run */
    char *file, *api_version, *kind, *name;
    size_t document, line;
    struct versiondiff_report report;
    /* The state by its findings (found.h): whether it is refused, whether something is wrong, refusals
     * included, and whether something was not checked; a limit makes the report partial. */
    bool is_refused, has_fault, is_unchecked;
    struct json_object *findings;            /* all, as -o json has them */
    struct json_object *refusals, *warnings; /* as in -o json */
};

struct collection {
    struct collected **items; /* in the order of the input */
    size_t count;
    struct keymap by_key;
    size_t n_skipped;
    struct output_suppressed suppressed; /* without what is stale */
    struct json_object *errors; /* the files that could not be read, as -o json has them; NULL: none */
    /* Called for each object, while its place is known. May be NULL. */
    void (*seen)(void *user, const struct output_place *place, const struct collected *one);
    void *user;
};

struct output collect_output(struct collection *collection);
/* The results of the object with this key; NULL if there are none. */
const struct collected *collect_find(const struct collection *collection, const char *key);
/* The key of the object at a place. The caller frees it. */
char *collect_key(const struct output_place *place);
/* The counts of the collection that suppressed the most, of collections of the same files; stale entries are
 * not counted. */
struct output_suppressed collect_most_suppressed(const struct collection *collections, size_t count);
/* The files that could not be read, as JSON has them: a list that the caller puts. */
struct json_object *collect_errors(const struct collection *collection);
/* The end of a summary's line: "; 2 other objects skipped; 3 findings suppressed; 1 error". */
void collect_print_end(const struct collection *collection, const struct output_suppressed *suppressed);
void collect_deinit(struct collection *collection);

#endif
