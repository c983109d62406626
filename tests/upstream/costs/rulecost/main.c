/*
 * rulecost: what tests/upstream/costs/tool answers, by our own means: compiles the
 * x-kubernetes-validations at the root of schemas. For tests.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdstructural.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/crdrules/crd_rule.h"
#include "typecheck/typecheck.h"

static struct str text_of(struct json_object *rule, const char *key)
{
    return str_of(jsonval_string_or_empty(rule, key));
}

static struct json_object *string(struct str s)
{
    return json_object_new_string_len(s.len == 0 ? "" : s.at, (int)s.len);
}

static void add_answer(struct json_object *answers, const struct crd_rule_compiled *r, uint64_t cardinality)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "error", string(r->rule->problem.text));
    json_object_object_add(o, "cost", json_object_new_uint64(r->rule->cost));
    json_object_object_add(o, "usesOldSelf", json_object_new_boolean(r->rule->uses_old_self));
    json_object_object_add(o, "messageError", string(r->message->problem.text));
    json_object_object_add(o, "messageCost", json_object_new_uint64(r->message->cost));
    json_object_object_add(o, "cardinality",
                           json_object_new_uint64(r->rule->problem.text.len == 0 ? cardinality : 0));
    json_object_array_add(answers, o);
}

static struct json_object *compile(const struct env *env, const struct crd_type *self,
                                   struct json_object *list)
{
    struct json_object *answers = json_object_new_array();
    size_t count = jsonval_length(list);
    struct compiler compiler;
    compiler_init(&compiler, &(struct cel_place_scope){.env = env, .self = self},
                  typecheck_default_caps.steps);
    for (size_t i = 0; i < count; i++) {
        struct json_object *json = jsonval_at(list, i);
        const struct crd_rule rule = {text_of(json, "rule"), text_of(json, "messageExpression"),
                                      jsonval_is_true(json, "optionalOldSelf")};
        struct crd_rule_compiled found;
        if (!crd_rule_compile(&compiler, &rule, &found))
            break;
        add_answer(answers, &found, crd_type_cardinality(self));
    }
    compiler_deinit(&compiler);
    return answers;
}

static struct json_object *answer(const struct env *env, int minor, struct json_object *input)
{
    struct json_object *schema = jsonval_get(input, "schema"), *answers = NULL;
    struct schema_definition definition = crdstructural_in(minor);
    definition.is_resource = jsonval_is_true(input, "resource");
    struct schema *read = crdstructural_read(schema, &definition);
    if (read == NULL)
        return NULL;
    struct crd_type self = {.schema = read, .node = read->root};
    if (crd_type_is_exposed(&self))
        answers = compile(env, &self, jsonval_array(schema, "x-kubernetes-validations"));
    schema_free(read);
    return answers;
}

int main(int argc, char **argv)
{
    int minor = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ENV_NEWEST_LEVEL;
    struct env *env = env_new(minor - 1, celgo_in(minor));
    char *line = NULL;
    size_t room = 0;
    for (ssize_t len; (len = getline(&line, &room, stdin)) > 0;) {
        struct err err = {0};
        cleanup_json struct json_object *input = NULL;
        if (jsonval_parse(line, (size_t)len, &input, &err) != 0) {
            fprintf(stderr, "rulecost: %s\n", err.msg);
            return 1;
        }
        struct json_object *answers = answer(env, minor, input);
        puts(json_object_to_json_string_ext(answers, JSON_C_TO_STRING_PLAIN));
        json_object_put(answers);
    }
    free(line);
    env_free(env);
    return 0;
}
