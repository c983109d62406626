#include "typecheck/cel/syntax/parser.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/builder.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parse_state.h"
#include "typecheck/cel/syntax/recognizer.h"
#include "typecheck/cel/syntax/source.h"

bool parser_run(struct arena *a, struct arena *scratch, const struct source *s, struct dialect dialect,
                struct issues *issues, struct ast *out)
{
    size_t issues_before = issues->count;
    if (s->code_points > SOURCE_MAX_CODE_POINTS) {
        issues_addf(issues, ISSUE_OTHER, EXTENT_NOWHERE,
                    "expression code point size exceeds limit: size: %zu, limit %u", s->code_points,
                    SOURCE_MAX_CODE_POINTS);
        return false;
    }
    struct parse_state state;
    parse_state_init(&state, scratch, s, issues);
    struct parse_tree *tree = recognizer_run(&state);
    if (tree == NULL)
        return false;
    /* This is done after syntax errors, too: the rest may be wrong in other ways, and cel-go says so. */
    struct builder b = {
        .nodes = {.arena = a, .text = s->text, .issues = issues, .copies_keep_ids = !dialect.copies_targets},
        .state = &state,
        .dialect = dialect};
    out->text = s->text;
    out->root = builder_run(&b, tree);
    out->max_id = b.nodes.last_id;
    return issues->count == issues_before;
}
