/*
 * baseline: a file of findings that existed before; only new findings are reported.
 *
 * An entry is an identifier, an object (kind and name), a field and what the finding is about there
 * (finding_subject.h). It holds no line and no file's name, so it stays valid when other things change; the
 * message is for those who read the file, and may be reworded. The file is JSON with one entry on each line
 * (here on two), sorted:
 *
 *     {"version": 2, "findings": [
 *     {"id": "undefined-field", "object": "ValidatingAdmissionPolicy/p", "field": "spec...",
 *      "subject": "replica", "message": "undefined field 'replica'"}
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

/* An empty baseline that takes every finding: baseline_takes adds it. */
struct baseline *baseline_new(void);
/* Errors begin with the path. */
int baseline_read(const char *path, struct baseline **out, struct err *err) MUST_CHECK;
/* Frees the baseline, which may be NULL. */
void baseline_free(struct baseline *baseline);

/* Forgets what occurred: another run begins. */
void baseline_restart(struct baseline *baseline);
/* Notes that an object is checked: the entries of the object should occur. */
void baseline_expect(struct baseline *baseline, const char *object);
/* Returns true if the finding is in the baseline, or was added now. */
bool baseline_takes(struct baseline *baseline, const struct output_entry *entry);

/* The entries of checked objects that did not occur. The caller frees the list; the texts are borrowed. */
struct output_entry *baseline_find_stale(const struct baseline *baseline, size_t *count);

size_t baseline_count(const struct baseline *baseline);
/* Errors begin with the path. */
int baseline_write(const struct baseline *baseline, const char *path, struct err *err) MUST_CHECK;

#endif
