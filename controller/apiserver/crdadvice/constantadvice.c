#include "controller/apiserver/crdadvice/constantadvice.h"

#include "bytes/budget.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

enum { LIST_BYTES = 4096 /* of an enum, as a message names it */ };

/* Returns the enum of what the steps lead to, if it has only strings; NULL: there is none. */
static struct json_object *enum_behind(const struct adviceplace *place, const struct rule_constant *constant)
{
    struct json_object *schema = place->schema;
    for (size_t i = 0; schema != NULL && i < constant->step_count; i++)
        schema = adviceplace_schema_behind(schema, &constant->steps[i]);
    struct json_object *words = jsonval_array(schema, "enum");
    bool are_strings = jsonval_length(words) > 0;
    for (size_t i = 0; are_strings && i < jsonval_length(words); i++)
        are_strings = jsonval_text_at(words, i) != NULL;
    return are_strings ? words : NULL;
}

/* Returns the words of an enum, which the tree keeps. The caller frees the list. */
static struct str *words_of(struct json_object *enumeration, size_t *count)
{
    *count = jsonval_length(enumeration);
    struct str *words = mem_array(*count + 1, sizeof *words);
    for (size_t i = 0; i < *count; i++)
        words[i] = str_of(jsonval_text_at(enumeration, i));
    return words;
}

/* "Fast, Slow or Off". The caller frees it. */
static char *list_words(const struct str *words, size_t count)
{
    const struct words_list list = words_list(words, count);
    struct buf text;
    buf_init(&text, LIST_BYTES);
    for (size_t i = 0; i < list.count; i++)
        buf_printf(&text, "%.*s%.*s", STR_ARG(list.items[i].before), STR_ARG(list.items[i].word));
    return buf_take(&text, NULL);
}

/* "did you mean 'Fast'?"; "": no word is near. The caller frees it. */
static char *near_word(const struct str *words, size_t count, struct str wrong)
{
    cleanup_mem char *asked = mem_strndup(wrong.at, wrong.len);
    const struct str near = words_near(words, count, asked);
    return near.at == NULL ? mem_strdup("") : mem_printf("did you mean '%.*s'?", STR_ARG(near));
}

/* Says that the field is never equal to the constant, if this is none of the words. */
static void judge(const struct advicerule *rule, const struct rule_constant *constant,
                  const struct str *words, size_t count)
{
    if (words_find(words, count, constant->text) < count)
        return;
    const struct str name =
        constant->step_count == 0 ? STR("self") : constant->steps[constant->step_count - 1].field;
    cleanup_mem char *listed = list_words(words, count);
    advicerule_add(
        rule,
        (struct advicelist_item){.id = FINDING_NEVER_EQUAL,
                                 .message = mem_printf("no value of %.*s is '%.*s': it is %s",
                                                       STR_ARG(name.len == 0 ? STR("an item") : name),
                                                       STR_ARG(constant->text), listed),
                                 .resource = mem_strdup(""),
                                 .hint = near_word(words, count, constant->text)},
        constant->offset);
}

/* Says that the comparison has one result, and that oldSelf was probably meant, unless the rule has it. */
static void add_same(const struct advicerule *rule, const struct rule_same *same)
{
    const bool has_hint = same->correction.len != 0 && !rule->reads->uses_old;
    advicerule_add(
        rule,
        (struct advicelist_item){
            .id = same->truth ? FINDING_ALWAYS_TRUE : FINDING_ALWAYS_FALSE,
            .message =
                mem_printf("both sides are the same: this is always %s", same->truth ? "true" : "false"),
            .resource = mem_strdup(""),
            .hint = has_hint ? mem_printf("write \"%.*s\"", STR_ARG(same->correction)) : mem_strdup("")},
        same->offset);
}

void constantadvice_find(const struct advicerule *rule)
{
    for (size_t i = 0; i < rule->reads->same_count && rule->trial->left > 0; i++) {
        budget_pay(&rule->trial->left, 1);
        add_same(rule, &rule->reads->sames[i]);
    }
    for (size_t i = 0; i < rule->reads->constant_count && rule->trial->left > 0; i++) {
        const struct rule_constant *constant = &rule->reads->constants[i];
        struct json_object *enumeration = enum_behind(rule->place, constant);
        size_t count;
        struct str *words = words_of(enumeration, &count);
        budget_pay(&rule->trial->left, 1 + count);
        if (enumeration != NULL && constant->text.len != 0)
            judge(rule, constant, words, count);
        mem_free(words);
    }
}
