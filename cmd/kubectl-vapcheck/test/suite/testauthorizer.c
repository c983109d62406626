#include "cmd/kubectl-vapcheck/test/suite/testauthorizer.h"

#include <string.h>

#include "client/base/mem.h"
#include "typecheck/text.h"

static struct str text_of(const struct yaml_node *node)
{
    return (struct str){json_object_get_string(node->json), (size_t)json_object_get_string_len(node->json)};
}

/* The place for the member's text; NULL if no row has such a member. */
static struct str *find_place(struct authorizer_row *row, struct str key)
{
    for (size_t i = 0; i < AUTHORIZER_FIELDS; i++) {
        if (!str_eq(key, authorizer_field_name((enum authorizer_field)i)))
            continue;
        row->is_given[i] = true;
        return &row->fields[i];
    }
    return str_eq(key, STR("reason"))  ? &row->answer.reason
           : str_eq(key, STR("error")) ? &row->answer.error
                                       : NULL;
}

static char *refuse_key(const char *key)
{
    static const char *const others[] = {"decision", "reason", "error"};
    struct suggest near;
    suggest_init(&near, key);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        suggest_offer(&near, others[i]);
    for (size_t i = 0; i < AUTHORIZER_FIELDS; i++)
        suggest_offer(&near, authorizer_field_name((enum authorizer_field)i).at);
    return near.best == NULL
               ? mem_printf("a row of the authorizer has no key %s", key)
               : mem_printf("a row of the authorizer has no key %s, did you mean %s?", key, near.best);
}

/* Reads one member of a row. Returns what is wrong with it, which the caller frees; NULL if nothing is
 * wrong. */
static char *read_member(struct authorizer_row *row, const struct yaml_node *member, bool *is_decided)
{
    if (!json_object_is_type(member->json, json_type_string))
        return mem_printf("%s is no text", member->key);
    if (strcmp(member->key, "decision") == 0) {
        row->answer.is_allowed = str_eq(text_of(member), STR("allow"));
        *is_decided = true;
        return row->answer.is_allowed || str_eq(text_of(member), STR("deny"))
                   ? NULL
                   : mem_strdup("decision is neither allow nor deny");
    }
    struct str *place = find_place(row, str_of(member->key));
    if (place == NULL)
        return refuse_key(member->key);
    *place = text_of(member);
    return NULL;
}

static void read_row(const char *file, const struct yaml_node *node, struct testcase *out,
                     struct authorizer_row *row)
{
    bool is_decided = false;
    *row = (struct authorizer_row){.answer = {.is_allowed = false}};
    if (!json_object_is_type(node->json, json_type_object)) {
        testsuite_refuse(out, (struct testplace){file, node->start},
                         mem_strdup("a row of the authorizer is a mapping"));
        return;
    }
    for (size_t i = 0; i < node->n_children; i++) {
        char *problem = read_member(row, node->children[i], &is_decided);
        if (problem != NULL)
            testsuite_refuse(out, (struct testplace){file, node->children[i]->key_start}, problem);
    }
    if (!is_decided)
        testsuite_refuse(out, (struct testplace){file, node->start},
                         mem_strdup("a row of the authorizer needs a decision: allow or deny"));
}

/* kat compares these fields even if a row does not have them: an absent one is empty. */
static void complete_row(struct authorizer_row *row)
{
    static const enum authorizer_field compared[] = {
        AUTHORIZER_GROUP, AUTHORIZER_RESOURCE, AUTHORIZER_SUBRESOURCE, AUTHORIZER_NAMESPACE, AUTHORIZER_VERB};
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        row->is_given[compared[i]] = true;
}

void testauthorizer_read(const struct testsuite *suite, const char *file, const struct yaml_node *list,
                         struct testcase *out)
{
    if (!json_object_is_type(list->json, json_type_array)) {
        testsuite_refuse(out, (struct testplace){file, list->start},
                         mem_strdup("what the authorizer answers is a list of rows"));
        return;
    }
    out->has_authorizer = true;
    out->answers = mem_array(list->n_children + 1, sizeof *out->answers);
    for (; out->answer_count < list->n_children; out->answer_count++) {
        struct authorizer_row *row = &out->answers[out->answer_count];
        read_row(file, list->children[out->answer_count], out, row);
        if (suite->format == TESTSUITE_KAT)
            complete_row(row);
    }
}
