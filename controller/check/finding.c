#include "controller/check/finding.h"

#include <string.h>

const struct finding_page finding_pages[FINDING_COUNT] = {
#define FINDING(name, id, severity, summary, text, wrong, right)                                             \
    [FINDING_##name] = {id, FINDING_##severity, summary, text, wrong, right},
#include "controller/check/finding.def"
#undef FINDING
};

enum finding_id finding_of_name(const char *id)
{
    size_t i = 0;
    while (i < FINDING_COUNT && strcmp(finding_pages[i].id, id) != 0)
        i++;
    return (enum finding_id)i;
}

/* What a message begins with, and what it holds besides; the first that fits. */
static const struct {
    const char *begin, *within;
    enum finding_id id;
} messages[] = {
    {"undefined field '", " is null ", FINDING_NULL_OBJECT},
    {"undefined field '", "", FINDING_UNDEFINED_FIELD},
    {"undeclared reference to '", "", FINDING_UNDECLARED_REFERENCE},
    {"Syntax error: ", "", FINDING_SYNTAX_ERROR},
    {"found no matching overload for '_==_'", "", FINDING_NEVER_EQUAL},
    {"found no matching overload for '_!=_'", "", FINDING_NEVER_EQUAL},
    {"found no matching overload for '@in'", "", FINDING_NEVER_EQUAL},
    {"found no matching overload for '", "", FINDING_NO_SUCH_OVERLOAD},
    {"no such overload", "", FINDING_NO_SUCH_OVERLOAD},
    {"may not mutate atomic ", "", FINDING_WRONG_MUTATION},
    {"an apply configuration cannot be applied", "", FINDING_WRONG_MUTATION},
    {"unexpected type name '", "", FINDING_WRONG_MUTATION},
    {"a map or list within the ", "", FINDING_WRONG_MUTATION},
    {"a JSON patch without ", "", FINDING_WRONG_MUTATION},
    {"a JSON patch cannot hold ", "", FINDING_WRONG_MUTATION},
    {"before Kubernetes 1.37 a list or map in a JSON patch ", "", FINDING_WRONG_MUTATION},
    {"the path '", "' is never there: ", FINDING_WRONG_MUTATION},
    {"'", "' is no operation of a JSON patch", FINDING_WRONG_MUTATION},
    {"'", "' is no path: ", FINDING_WRONG_MUTATION},
    {"expected type '", "", FINDING_TYPE_MISMATCH},
    {"expected type of field '", "", FINDING_TYPE_MISMATCH},
    {"type '", "' does not support field selection", FINDING_NO_FIELDS},
    {"expression of type '", "' cannot be range of a comprehension", FINDING_NO_RANGE},
    {"division by zero", "", FINDING_WRONG_CONSTANT},
    {"modulus by zero", "", FINDING_WRONG_CONSTANT},
    {"integer overflow", "", FINDING_WRONG_CONSTANT},
    {"unsigned integer overflow", "", FINDING_WRONG_CONSTANT},
    {"timestamp overflow", "", FINDING_WRONG_CONSTANT},
    {"index out of range: ", "", FINDING_WRONG_CONSTANT},
    {"cannot slice(", "", FINDING_WRONG_CONSTANT},
    {"type conversion error ", "", FINDING_WRONG_CONSTANT},
    {"quantities must match the regular expression", "", FINDING_WRONG_CONSTANT},
    {"unable to parse ", "quantity", FINDING_WRONG_CONSTANT},
    {"IP ", " during conversion from string: ", FINDING_WRONG_CONSTANT},
    {"IP", " is not allowed", FINDING_WRONG_CONSTANT},
    {"network address parse error ", "", FINDING_WRONG_CONSTANT},
    {"URL parse error ", "", FINDING_WRONG_CONSTANT},
    {"Version string empty", "", FINDING_WRONG_CONSTANT},
    {"No Major.Minor.Patch elements found", "", FINDING_WRONG_CONSTANT},
    {"Invalid character(s) found in ", "", FINDING_WRONG_CONSTANT},
    {"", " must not contain leading zeroes ", FINDING_WRONG_CONSTANT},
    {"Prerelease is empty", "", FINDING_WRONG_CONSTANT},
    {"Build meta data is empty", "", FINDING_WRONG_CONSTANT},
    {"short version cannot contain ", "", FINDING_WRONG_CONSTANT},
    {"strconv.ParseUint: parsing ", "", FINDING_WRONG_CONSTANT},
    {"error parsing regexp: ", "", FINDING_WRONG_CONSTANT},
    {"Illegal regex: ", "", FINDING_WRONG_CONSTANT},
    {"error during formatting: ", "", FINDING_WRONG_CONSTANT},
    {"could not parse formatting clause", "", FINDING_WRONG_CONSTANT},
    {"unexpected end of string", "", FINDING_WRONG_CONSTANT},
    {"too many arguments supplied to string.format", "", FINDING_WRONG_CONSTANT},
    {"invalid ", "", FINDING_WRONG_CONSTANT},
};

enum finding_id finding_of_issue(const char *message)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (strncmp(message, messages[i].begin, strlen(messages[i].begin)) == 0 &&
            strstr(message, messages[i].within) != NULL)
            return messages[i].id;
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
