#include "controller/findings/finding.h"

#include <string.h>

const struct finding_page finding_pages[FINDING_COUNT] = {
#define FINDING(name, id, severity, summary, text, wrong, right)                                             \
    [FINDING_##name] = {id, FINDING_##severity, summary, text, wrong, right},
#include "controller/findings/finding.def"
#undef FINDING
};

enum finding_id finding_of_name(const char *id)
{
    size_t i = 0;
    while (i < FINDING_COUNT && strcmp(finding_pages[i].id, id) != 0)
        i++;
    return (enum finding_id)i;
}

enum finding_id finding_of_issue(enum issue_code code)
{
    switch (code) {
    case ISSUE_SYNTAX:
        return FINDING_SYNTAX_ERROR;
    case ISSUE_UNDECLARED_REFERENCE:
        return FINDING_UNDECLARED_REFERENCE;
    case ISSUE_UNDEFINED_FIELD:
        return FINDING_UNDEFINED_FIELD;
    case ISSUE_NULL_OBJECT:
        return FINDING_NULL_OBJECT;
    case ISSUE_NO_FIELDS:
        return FINDING_NO_FIELDS;
    case ISSUE_NO_OVERLOAD:
        return FINDING_NO_SUCH_OVERLOAD;
    case ISSUE_NEVER_EQUAL:
        return FINDING_NEVER_EQUAL;
    case ISSUE_TYPE_MISMATCH:
        return FINDING_TYPE_MISMATCH;
    case ISSUE_NO_RANGE:
        return FINDING_NO_RANGE;
    case ISSUE_WRONG_CONSTANT:
        return FINDING_WRONG_CONSTANT;
    case ISSUE_WRONG_MUTATION:
        return FINDING_WRONG_MUTATION;
    case ISSUE_ALWAYS_TRUE:
        return FINDING_ALWAYS_TRUE;
    case ISSUE_ALWAYS_FALSE:
        return FINDING_ALWAYS_FALSE;
    case ISSUE_NEVER_APPLIES:
        return FINDING_NEVER_APPLIES;
    case ISSUE_OTHER:
    case ISSUE_RESERVED:
    case ISSUE_NO_SUCH_KEY:
    case ISSUE_COST_LIMIT:
        break;
    }
    return FINDING_OTHER_ERROR;
}

enum finding_id finding_of_problem(const struct types_problem *problem)
{
    switch (problem->reason) {
    case TYPES_LIMIT_REACHED:
    case TYPES_TOO_MANY:
        return FINDING_LIMIT_REACHED;
    case TYPES_RESOURCE_NOT_FOUND:
        return problem->is_certain ? FINDING_RESOURCE_NOT_SERVED : FINDING_NOT_FULLY_CHECKED;
    case TYPES_NEVER_EVALUATED:
        return problem->is_certain ? FINDING_NEVER_EVALUATED : FINDING_NOT_FULLY_CHECKED;
    case TYPES_CLUSTER_UNAVAILABLE:
    case TYPES_SCHEMA_NOT_FOUND:
    case TYPES_OUT_OF_SCOPE:
        break;
    }
    return FINDING_NOT_FULLY_CHECKED;
}

bool finding_is_always_reported(enum finding_id id)
{
    return id == FINDING_REFUSED || id == FINDING_LIMIT_REACHED || id == FINDING_UNREADABLE_FILE ||
           id == FINDING_UNKNOWN_IDENTIFIER;
}

_Static_assert(FINDING_COUNT <= 64, "a set has a bit for each");

bool finding_set_has(struct finding_set set, enum finding_id id)
{
    return (set.bits >> id & 1) != 0;
}

void finding_set_add(struct finding_set *set, enum finding_id id)
{
    set->bits |= UINT64_C(1) << id;
}

const char *finding_severity_name(enum finding_severity severity)
{
    static const char *const names[] = {
        [FINDING_ERROR] = "error",
        [FINDING_WARNING] = "warning",
        [FINDING_NOTE] = "note",
        [FINDING_ADVICE] = "advice",
    };
    return names[severity];
}
