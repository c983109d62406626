/*
 * completeobject 1.N [DEFINITIONS]: what an API server 1.N makes of objects, each as JSON in a line of
 * standard input. DEFINITIONS: a file with a JSON list of CustomResourceDefinitions, which the server has.
 *
 * Prints for each a line with {"mutating": OBJECT, "validating": OBJECT}, as policies see it that is created,
 * or
 * {"problem": TEXT}.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/apiserver/defaults/defaults.h"
#include "controller/apiserver/defaults/requestobject.h"

#define NOW "2000-01-01T00:00:00Z"

static struct schemas *open_bundle(const char *version)
{
    struct schemas *schemas = NULL;
    struct err err;
    for (size_t i = 0; i < bundles_count; i++) {
        if (strcmp(bundles[i].kube_version, version) == 0 &&
            schemas_open_bytes(bundles[i].bytes, bundles[i].len, &schemas, &err) == 0)
            return schemas;
    }
    return NULL;
}

static struct defaults_kind find_kind(struct schemas *schemas, struct json_object *object)
{
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(object, "apiVersion"));
    const char *name = jsonval_string_or_empty(object, "kind");
    const struct discovery_version *version =
        discovery_find_version(schemas_discovery(schemas), gv.group, gv.version);
    const struct discovery_resource *resource = version == NULL ? NULL : discovery_find_kind(version, name);
    return (struct defaults_kind){.type = schemas_type(schemas, gv.group, gv.version, name),
                                  .minor = schemas_minor(schemas),
                                  .is_namespaced = resource != NULL && resource->is_namespaced,
                                  .has_status = resource != NULL && discovery_has_status(resource),
                                  .namespace = "default",
                                  .now = NOW};
}

static struct json_object *read_object(const struct defaults_kind *kind, struct json_object *object,
                                       char **problem)
{
    struct json_object *sent = requestobject_copy(object);
    requestobject_decode(sent);
    struct json_object *decoded = defaults_decode(kind, sent, problem);
    json_object_put(sent);
    return decoded;
}

/* With the name that the server makes. */
static struct json_object *create(const struct defaults_kind *kind, struct json_object *admitted)
{
    struct json_object *named = requestobject_copy(admitted);
    cleanup_mem char *name = requestobject_name(admitted);
    if (name != NULL)
        jsonval_set(jsonval_get(named, "metadata"), "name", json_object_new_string(name));
    struct json_object *created = defaults_create(kind, named);
    json_object_put(named);
    return created;
}

/* old: of an update; else NULL. */
static struct json_object *complete(struct schemas *schemas, struct json_object *object,
                                    struct json_object *old)
{
    const struct defaults_kind kind = find_kind(schemas, object);
    struct json_object *answer = json_object_new_object();
    cleanup_mem char *problem = NULL;
    cleanup_json struct json_object *decoded = read_object(&kind, object, &problem);
    if (problem != NULL) {
        jsonval_set(answer, "problem", json_object_new_string(problem));
        return answer;
    }
    cleanup_json struct json_object *again = defaults_decode(&kind, decoded, NULL);
    if (json_object_equal(decoded, again) == 0) {
        jsonval_set(answer, "problem", json_object_new_string("reading it twice makes a difference"));
        return answer;
    }
    cleanup_json struct json_object *before = old == NULL ? NULL : read_object(&kind, old, NULL);
    struct json_object *admitted = defaults_admit(&kind, decoded, old == NULL);
    jsonval_set(answer, "mutating", admitted);
    jsonval_set(answer, "validating",
                old == NULL ? create(&kind, admitted) : defaults_update(&kind, admitted, before, ""));
    return answer;
}

/* Ends the program if they cannot be read. */
static struct crds *read_definitions(const char *path)
{
    cleanup_json struct json_object *list = json_object_from_file(path);
    struct crds *crds = crds_new();
    struct err err;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        if (crds_add(crds, jsonval_at(list, i), &err) != 0) {
            fprintf(stderr, "completeobject: %s\n", err.msg);
            exit(1);
        }
    }
    return crds;
}

int main(int argc, char **argv)
{
    struct schemas *schemas = argc == 2 || argc == 3 ? open_bundle(argv[1]) : NULL;
    struct crds *crds = argc == 3 ? read_definitions(argv[2]) : NULL;
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    if (schemas == NULL) {
        fprintf(stderr, "usage: completeobject 1.N [DEFINITIONS]\n");
        return 2;
    }
    schemas_put(schemas, crds);
    while ((len = getline(&line, &cap, stdin)) > 0) {
        struct json_object *object;
        struct err err;
        if (jsonval_parse(line, (size_t)len, &object, &err) != 0) {
            fprintf(stderr, "completeobject: %s\n", err.msg);
            return 1;
        }
        struct json_object *old = jsonval_get(object, "old");
        struct json_object *answer =
            complete(schemas, old == NULL ? object : jsonval_get(object, "object"), old);
        puts(json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PLAIN));
        json_object_put(answer);
        json_object_put(object);
    }
    free(line);
    schemas_free(schemas);
    crds_free(crds);
    return 0;
}
