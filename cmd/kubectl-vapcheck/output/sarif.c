#include "cmd/kubectl-vapcheck/output/sarif.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"

void sarif_put(struct json_object *object, const char *key, const char *value)
{
    jsonval_set(object, key, json_object_new_string(value));
}

void sarif_put_message(struct json_object *object, const char *key, const char *text)
{
    struct json_object *message = json_object_new_object();
    cleanup_mem char *shown = plain_sarif(text);
    sarif_put(message, "text", shown);
    jsonval_set(object, key, message);
}

/* A path as a relative reference, or an absolute file URI. */
static char *uri_of(const char *file)
{
    static const char plain[] = "-._~/!$&'()*+,;=@";
    size_t len = strlen(file), room = 3 * len + sizeof "file://", used = 0;
    char *uri = mem_array(room, 1);
    if (*file == '/')
        used = (size_t)snprintf(uri, room, "file://");
    for (const char *p = file; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        strchr(plain, c) != NULL;
        used += (size_t)snprintf(uri + used, room - used, is_plain ? "%c" : "%%%02X", c);
    }
    return uri;
}

static void add_number(struct json_object *object, const char *key, unsigned number)
{
    jsonval_set(object, key, json_object_new_int64((int64_t)number));
}

struct json_object *sarif_artifact(const char *file)
{
    struct json_object *artifact = json_object_new_object();
    cleanup_mem char *uri = uri_of(file);
    sarif_put(artifact, "uri", uri);
    return artifact;
}

struct json_object *sarif_region(struct yaml_place where, struct yaml_place end)
{
    struct json_object *region = json_object_new_object();
    add_number(region, "startLine", where.line);
    add_number(region, "startColumn", where.column);
    if (end.line > where.line || (end.line == where.line && end.column >= where.column)) {
        add_number(region, "endLine", end.line);
        add_number(region, "endColumn", end.column);
    }
    return region;
}

struct json_object *sarif_locations(const char *file, struct yaml_place where, struct yaml_place end,
                                    const char *logical)
{
    struct json_object *physical = json_object_new_object();
    struct json_object *location = json_object_new_object(), *list = json_object_new_array();
    const bool is_known = end.line > where.line || end.column > where.column;
    jsonval_set(physical, "artifactLocation", sarif_artifact(file));
    if (where.line != 0)
        jsonval_set(physical, "region", sarif_region(where, is_known ? end : (struct yaml_place){0}));
    jsonval_set(location, "physicalLocation", physical);
    if (logical != NULL) {
        struct json_object *one = json_object_new_object(), *all = json_object_new_array();
        sarif_put(one, "fullyQualifiedName", logical);
        jsonval_append(all, one);
        jsonval_set(location, "logicalLocations", all);
    }
    jsonval_append(list, location);
    return list;
}

void sarif_put_fingerprint(struct json_object *result, const char *name, const char *fingerprint)
{
    struct json_object *fingerprints = json_object_new_object();
    sarif_put(fingerprints, name, fingerprint);
    jsonval_set(result, "partialFingerprints", fingerprints);
}

struct json_object *sarif_rule(const char *id, const char *summary)
{
    struct json_object *rule = json_object_new_object();
    sarif_put(rule, "id", id);
    sarif_put_message(rule, "shortDescription", summary);
    return rule;
}

struct json_object *sarif_tool(struct json_object *take_rules)
{
    struct json_object *tool = json_object_new_object(), *driver = json_object_new_object();
    sarif_put(driver, "name", "vapcheck");
    sarif_put(driver, "version", VAPCHECK_VERSION);
    jsonval_set(driver, "rules", take_rules);
    jsonval_set(tool, "driver", driver);
    return tool;
}

struct json_object *sarif_document(struct json_object *take_run)
{
    struct json_object *all = json_object_new_object(), *runs = json_object_new_array();
    jsonval_append(runs, take_run);
    sarif_put(all, "$schema", SARIF_SCHEMA);
    sarif_put(all, "version", "2.1.0");
    jsonval_set(all, "runs", runs);
    return all;
}
