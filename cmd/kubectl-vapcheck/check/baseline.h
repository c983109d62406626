/*
 * baseline: findings that were there before, written to a file; only others are reported.
 *
 * An entry is an identifier, an object (kind and name), a field and a message: no line, and no file's name,
 * so that it stays what it is when other things change. The file is JSON with an entry a line, in their
 * order:
 *
 *     {"version": 1, "findings": [
 *     {"id": "never-equal", "object": "ValidatingAdmissionPolicy/p", "field": "spec...", "message": "..."}
 *     ]}
 *
 *     struct baseline *b;
 *     if (baseline_read(path, &b, &err) != 0) ...
 *     if (baseline_takes(b, &entry)) ...
 *     baseline_free(b);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_BASELINE_H
#define CMD_KUBECTL_VAPCHECK_CHECK_BASELINE_H

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/output/output.h"

struct baseline;

/* An empty one, which takes all that it is asked about. */
struct baseline *baseline_new(void);
/* Errors begin with the path. */
int baseline_read(const char *path, struct baseline **out, struct err *err) MUST_CHECK;
/* NULL is fine. */
void baseline_free(struct baseline *baseline);

/* An object is checked: what the baseline has of it should occur. */
void baseline_expect(struct baseline *baseline, const char *object);
/* Whether the finding is in the baseline, or is now. */
bool baseline_takes(struct baseline *baseline, const struct output_entry *entry);

/* Those of checked objects that did not occur. The caller frees the list; the texts are the baseline's. */
struct output_entry *baseline_find_stale(const struct baseline *baseline, size_t *count);

/* Errors begin with the path. */
int baseline_write(const struct baseline *baseline, const char *path, struct err *err) MUST_CHECK;

#endif
