/*
 * finding: the table of everything that a check can find. Each has an identifier that never changes, and a
 * page that explains it.
 *
 * finding.def is the table; the command line, its documentation and the daemon's Events and metrics are made
 * from it. Pure.
 *
 *     enum finding_id id = finding_of_issue(issue->code);
 *     print("%s: %s", finding_pages[id].id, finding_pages[id].summary);
 */
#ifndef CONTROLLER_FINDINGS_FINDING_H
#define CONTROLLER_FINDINGS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/match/types_list.h"
#include "typecheck/issues.h"

enum finding_severity {
    FINDING_ERROR, /* the API server refuses it, or it fails for certain */
    FINDING_WARNING,
    FINDING_NOTE,
    FINDING_ADVICE, /* probably not meant; it makes no check fail */
};

enum finding_id {
#define FINDING(name, id, severity, summary, text, wrong, right) FINDING_##name,
#include "controller/findings/finding.def"
#undef FINDING
    FINDING_COUNT
};

struct finding_page {
    const char *id; /* "undefined-field" */
    enum finding_severity severity;
    const char *summary; /* a sentence */
    const char *text;    /* its meaning, and the change that helps */
    const char *wrong;   /* an example that has it; "" for none */
    const char *right;   /* the same without it; "" for none */
};

/* The index is an enum finding_id. */
extern const struct finding_page finding_pages[FINDING_COUNT];

/* FINDING_COUNT if nothing has this identifier. */
enum finding_id finding_of_name(const char *id);

/* The identifier of an expression's issue. */
enum finding_id finding_of_issue(enum issue_code code);

/* The identifier of something that was not checked. */
enum finding_id finding_of_problem(const struct types_problem *problem);

/* Returns true if the finding cannot be ignored. If it could, a bad object would look clean. */
bool finding_is_always_reported(enum finding_id id);

struct finding_set {
    uint64_t bits;
};

bool finding_set_has(struct finding_set set, enum finding_id id);
void finding_set_add(struct finding_set *set, enum finding_id id);

/* "error", "warning", "note", "advice". */
const char *finding_severity_name(enum finding_severity severity);

#endif
