/*
 * published DUMP FILE...: the discovery and the OpenAPI documents that an API
 * server would publish with the CustomResourceDefinitions of these files, on
 * the dump of a server without them; one JSON object by URL path. For tests.
 */
#include <stdio.h>

#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/discovery/clusterdump.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/match/objectkind.h"

struct run {
    struct clusterdump *snapshot;
    struct crds *crds;
    struct json_object *out;
};

static struct json_object *get(struct run *r, const char *url)
{
    struct json_object *tree = NULL;
    struct err err = {0};
    const char *bytes;
    size_t len;
    if (clusterdump_get(r->snapshot, url, &bytes, &len, &err) != 0 ||
        jsonval_parse(bytes, len, &tree, &err) != 0)
        return NULL;
    return tree;
}

static int add_file(struct run *r, const char *path)
{
    struct yaml *yaml;
    struct err err = {0};
    cleanup_mem char *text = NULL;
    size_t len;
    if (file_read(path, YAML_TEXT_CAP_BYTES, &text, &len, &err) != 0 ||
        yaml_parse(text, len, &yaml, NULL, &err) != 0) {
        fprintf(stderr, "%s: %s\n", path, err.msg);
        return -1;
    }
    int answer = 0;
    for (size_t i = 0; i < yaml_count(yaml) && answer == 0; i++) {
        if (objectkind_of(yaml_root(yaml, i)->json) == OBJECTKIND_CRD)
            answer = crds_add(r->crds, yaml_root(yaml, i)->json, &err);
    }
    if (answer != 0)
        fprintf(stderr, "%s: %s\n", path, err.msg);
    yaml_close(yaml);
    return answer;
}

/* The document of a group-version, if one of the definitions is served there. */
static void add_document(struct run *r, const char *group, const char *version)
{
    cleanup_mem char *path = mem_printf("apis/%s/%s", group, version);
    cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
    cleanup_json struct json_object *base = get(r, url);
    cleanup_json struct json_object *meta = get(r, "/openapi/v3/apis/apps/v1");
    struct json_object *document = crds_document(r->crds, path, base, meta);
    if (document != NULL)
        json_object_object_add(r->out, url, document);
}

static void add_documents(struct run *r, struct json_object *groups)
{
    for (size_t i = 0; i < jsonval_length(groups); i++) {
        struct json_object *group = jsonval_at(groups, i), *versions = jsonval_array(group, "versions");
        const char *name = jsonval_string_or_empty(jsonval_get(group, "metadata"), "name");
        for (size_t j = 0; j < jsonval_length(versions); j++)
            add_document(r, name, jsonval_string_or_empty(jsonval_at(versions, j), "version"));
    }
}

int main(int argc, char **argv)
{
    struct run r = {.crds = crds_new(), .out = json_object_new_object()};
    struct err err = {0};
    int answer = 0;
    if (argc < 3 || clusterdump_open(argv[1], &r.snapshot, &err) != 0) {
        fprintf(stderr, "published: %s\n", argc < 3 ? "usage: published DUMP FILE..." : err.msg);
        return 2;
    }
    for (int i = 2; i < argc && answer == 0; i++)
        answer = add_file(&r, argv[i]);
    cleanup_json struct json_object *apis = get(&r, "/apis");
    struct json_object *all = crds_discovery(r.crds, apis);
    json_object_object_add(r.out, "/apis", all);
    add_documents(&r, jsonval_array(all, "items"));
    puts(json_object_to_json_string_ext(r.out, JSON_C_TO_STRING_PLAIN));
    json_object_put(r.out);
    crds_free(r.crds);
    clusterdump_free(r.snapshot);
    return answer == 0 ? 0 : 1;
}
