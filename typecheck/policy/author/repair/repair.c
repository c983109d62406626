#include "typecheck/policy/author/repair/repair.h"

#include <string.h>

#include "typecheck/policy/author/repair/repair_calls.h"
#include "typecheck/policy/author/repair/repair_edits.h"
#include "typecheck/policy/author/repair/repair_explain.h"
#include "typecheck/policy/author/repair/repair_fields.h"
#include "typecheck/policy/author/repair/repair_issues.h"
#include "typecheck/policy/author/repair/repair_operators.h"
#include "typecheck/policy/author/repair/repair_values.h"
#include "typecheck/policy/author/repair/repair_words.h"

#define MAX_BYTES ((size_t)8 * 1024 * 1024)
/* Longer expressions get no hints: nobody typed them. */
#define MAX_TEXT_BYTES ((size_t)64 * 1024)

/* The rules in their order: those that change least, and are meant most often, come first. */
static void (*const RULES[])(struct repair_edits *e) = {
    repair_issues_changes,       repair_issues_fields,       repair_values_signs,
    repair_values_brackets,      repair_values_patterns,     repair_issues_elements,
    repair_operators_logical,    repair_operators_relations, repair_operators_not,
    repair_fields_has,           repair_fields_keys,         repair_calls_global,
    repair_words_functions,      repair_words_methods,       repair_calls_foreign,
    repair_calls_empty,          repair_fields_has_key,      repair_calls_macros,
    repair_calls_allowed,        repair_calls_format,        repair_calls_format_numbers,
    repair_calls_any_of,         repair_words_prefixes,      repair_words_types,
    repair_words_roots,          repair_words_literals,      repair_words_quotes,
    repair_fields_size,          repair_fields_parts,        repair_fields_escaped,
    repair_fields_optional,      repair_fields_null,         repair_values_comparisons,
    repair_values_quantities,    repair_values_quoting,      repair_values_numbers,
    repair_values_concatenation, repair_values_membership,   repair_operators_chained,
    repair_operators_sets,       repair_operators_infix,     repair_operators_conditional,
    repair_operators_like,       repair_issues_optionals,    repair_calls_keys,
    repair_words_reserved,       repair_issues_null,         repair_values_result,
};

/* These functions give an operand another type. */
static void (*const CONVERSIONS[])(struct repair_edits *e) = {
    repair_values_quantities,
    repair_values_quoting,
    repair_values_numbers,
    repair_values_concatenation,
};

static bool is_conversion(void (*rule)(struct repair_edits *e))
{
    for (size_t i = 0; i < sizeof CONVERSIONS / sizeof *CONVERSIONS; i++) {
        if (CONVERSIONS[i] == rule)
            return true;
    }
    return false;
}

/* Returns true if all that is wrong is that a result is always the same. No operand has a wrong type then,
 * and a conversion would only hide the finding: less is known about the converted value. */
static bool is_constant_alone(const struct repair_scope *scope)
{
    for (size_t i = 0; i < scope->issue_count; i++) {
        const enum issue_code code = scope->issues[i].code;
        if (code != ISSUE_ALWAYS_TRUE && code != ISSUE_ALWAYS_FALSE && code != ISSUE_NEVER_APPLIES)
            return false;
    }
    return scope->issue_count > 0;
}

static void run_rules(struct repair_edits *e, struct str text, struct repairs *out)
{
    const bool is_constant = is_constant_alone(e->scope);
    repair_tokens_init(&e->tokens, &out->arena, text);
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        if (is_constant && is_conversion(RULES[i]))
            continue;
        RULES[i](e);
        repair_edits_offer(e);
        out->list = e->found;
        out->count = e->found_count;
    }
}

void repair_find(const struct env *env, const struct repair_scope *scope, struct str text, uint64_t max_steps,
                 struct repairs *out)
{
    struct repair_edits e = {.env = env, .scope = scope};
    memset(out, 0, sizeof *out);
    arena_init(&out->arena, MAX_BYTES);
    out->arena.max_steps = max_steps;
    if (text.len <= MAX_TEXT_BYTES && setjmp(out->arena.escape) == 0)
        run_rules(&e, text, out);
}

struct str repair_words(const struct repair_scope *scope, struct str text, uint64_t max_steps,
                        struct repairs *out)
{
    memset(out, 0, sizeof *out);
    arena_init(&out->arena, MAX_BYTES);
    out->arena.max_steps = max_steps;
    return text.len <= MAX_TEXT_BYTES && setjmp(out->arena.escape) == 0
               ? repair_explain(&out->arena, scope, text)
               : STR("");
}

void repair_deinit(struct repairs *r)
{
    arena_deinit(&r->arena);
}
