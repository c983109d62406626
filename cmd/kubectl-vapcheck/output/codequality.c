#include "cmd/kubectl-vapcheck/output/codequality.h"

#include "client/text/jsonval.h"

static const char *severity_of(enum finding_severity severity)
{
    switch (severity) {
    case FINDING_ERROR:
        return "major";
    case FINDING_WARNING:
        return "minor";
    case FINDING_NOTE:
    case FINDING_ADVICE:
        break;
    }
    return "info";
}

static void add_string(struct json_object *object, const char *key, const char *value)
{
    jsonval_set(object, key, json_object_new_string(value));
}

/* GitLab needs a line of each issue. */
struct json_object *codequality_issue(const struct codequality_issue *issue)
{
    struct json_object *json = json_object_new_object(), *location = json_object_new_object(),
                       *lines = json_object_new_object();
    const unsigned begin = issue->first_line == 0 ? 1 : issue->first_line;
    add_string(json, "description", issue->description);
    add_string(json, "check_name", issue->check);
    add_string(json, "fingerprint", issue->fingerprint);
    add_string(json, "severity", severity_of(issue->severity));
    add_string(location, "path", issue->path);
    jsonval_set(lines, "begin", json_object_new_int64(begin));
    jsonval_set(lines, "end", json_object_new_int64(issue->last_line > begin ? issue->last_line : begin));
    jsonval_set(location, "lines", lines);
    jsonval_set(json, "location", location);
    return json;
}
