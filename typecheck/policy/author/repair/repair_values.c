#include "typecheck/policy/author/repair/repair_values.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/repair/repair_edits.h"

/* ---- quotes ---- */

/* Returns true if the text between quotes is a number, true or false. */
static bool is_plain_value(struct str s)
{
    bool is_number = s.len > 0, has_digit = false;
    for (size_t i = 0; i < s.len; i++) {
        bool is_digit = str_is_digit(s.at[i]);
        has_digit = has_digit || is_digit;
        is_number = is_number && (is_digit || (s.at[i] == '.' && has_digit) || (s.at[i] == '-' && i == 0));
    }
    return (is_number && has_digit) || str_eq(s, STR("true")) || str_eq(s, STR("false"));
}

static struct str flip_quotes(const struct repair_tokens *t, size_t i)
{
    struct str s = repair_tokens_text(t, i);
    enum token_kind kind = repair_tokens_kind(t, i);
    if (kind == TOKEN_STRING && s.len > 2) {
        struct str inner = {s.at + 1, s.len - 2};
        return is_plain_value(inner) ? inner : STR("");
    }
    bool is_value = kind == TOKEN_TRUE || kind == TOKEN_FALSE || kind == TOKEN_INT || kind == TOKEN_FLOAT;
    return is_value ? str_join(t->arena, STR_PARTS(STR("'"), s, STR("'"))) : STR("");
}

static bool is_equality(const struct repair_tokens *t, size_t i)
{
    return repair_tokens_kind(t, i) == TOKEN_EQUALS || repair_tokens_kind(t, i) == TOKEN_NOT_EQUALS;
}

/* Fields that hold amounts of resources. */
static bool has_amount(const struct repair_tokens *t, size_t first, size_t last)
{
    static const char *const NAMES[] = {"limits",      "requests", "hard",     "capacity",
                                        "allocatable", "cpu",      "memory",   "storage",
                                        "sizeLimit",   "'cpu'",    "'memory'", "'storage'"};
    for (size_t i = first; i <= last; i++) {
        for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
            arena_step(t->arena);
            if (repair_tokens_is(t, i, NAMES[k]))
                return true;
        }
    }
    return false;
}

/* The literal with what it is compared with. */
static void show_comparison(struct repair_edits *e, size_t i, struct str made)
{
    const struct repair_tokens *t = &e->tokens;
    if (is_equality(t, i - 1)) {
        struct str left = repair_tokens_slice(t, repair_tokens_side_start(t, i - 2), i - 1);
        made = str_join(t->arena, STR_PARTS(left, STR(" "), made));
    } else if (is_equality(t, i + 1)) {
        struct str right = repair_tokens_slice(t, i + 1, repair_tokens_side_end(t, i + 2));
        made = str_join(t->arena, STR_PARTS(made, STR(" "), right));
    }
    repair_edits_show(e, made);
}

/* Returns true if the literal is compared with an amount: quotes do not help. */
static bool is_amount_compared(const struct repair_tokens *t, size_t i)
{
    return (repair_tokens_is_relation(t, i - 1) && i >= 2 &&
            has_amount(t, repair_tokens_side_start(t, i - 2), i - 2)) ||
           (repair_tokens_is_relation(t, i + 1) && has_amount(t, i + 2, repair_tokens_side_end(t, i + 2)));
}

/* Returns true if the token is an argument of a format, which takes numbers as they are. */
static bool is_formatted(const struct repair_tokens *t, size_t i)
{
    for (size_t k = i; k-- > 2;) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, k) == TOKEN_LBRACKET && t->match[k] > i)
            return repair_tokens_kind(t, k - 1) == TOKEN_LPAREN && repair_tokens_is(t, k - 2, "format");
    }
    return false;
}

void repair_values_quoting(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (int is_to_text = 0; is_to_text < 2; is_to_text++) {
        for (size_t i = 0; i < t->count; i++) {
            arena_step(t->arena);
            bool is_text = repair_tokens_kind(t, i) == TOKEN_STRING;
            bool is_compared =
                is_equality(t, i - 1) || is_equality(t, i + 1) ||
                (is_text && (repair_tokens_is_relation(t, i - 1) || repair_tokens_is_relation(t, i + 1)));
            const bool is_summand =
                repair_tokens_kind(t, i - 1) == TOKEN_PLUS || repair_tokens_kind(t, i + 1) == TOKEN_PLUS;
            const bool is_branch =
                repair_tokens_kind(t, i - 1) == TOKEN_COLON || repair_tokens_kind(t, i - 1) == TOKEN_QUESTION;
            bool is_item =
                repair_tokens_kind(t, i - 1) == TOKEN_LBRACKET || repair_tokens_kind(t, i - 1) == TOKEN_COMMA;
            if (is_text == is_to_text || is_summand || (!is_compared && !is_item && !is_branch))
                continue;
            struct str made = flip_quotes(t, i);
            if (made.len == 0 || is_amount_compared(t, i) || (is_to_text && is_item && is_formatted(t, i)))
                continue;
            repair_edits_replace(e, i, i, made);
            show_comparison(e, i, made);
        }
        repair_edits_offer(e);
    }
}

/* `text > 5`: int(text) > 5; `number <= params.data.x`: the data of a ConfigMap are texts. */
void repair_values_numbers(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        enum token_kind kind = repair_tokens_kind(t, i), value = repair_tokens_kind(t, i + 1);
        bool is_number = value == TOKEN_INT || value == TOKEN_FLOAT,
             is_param = repair_tokens_is(t, i + 1, "params");
        arena_step(t->arena);
        if (!repair_tokens_is_relation(t, i) || (kind < TOKEN_LESS && !is_param) || (!is_number && !is_param))
            continue;
        size_t first = is_param ? i + 1 : repair_tokens_side_start(t, i - 1);
        size_t last = is_param ? repair_tokens_side_end(t, i + 1) : i - 1;
        struct str maker = value == TOKEN_FLOAT ? STR("double(") : STR("int(");
        if (!is_param && has_amount(t, first, last))
            continue;
        repair_edits_change(
            e, first, last,
            str_join(t->arena, STR_PARTS(maker, repair_tokens_slice(t, first, last), STR(")"))));
    }
}

/* ---- sums ---- */

/* Makes a text of an operand of a sum, unless it is one already. */
static void make_text(struct repair_edits *e, size_t first, size_t last)
{
    const struct repair_tokens *t = &e->tokens;
    bool is_text = repair_tokens_kind(t, first) == TOKEN_STRING ||
                   (repair_tokens_is(t, first, "string") && repair_tokens_kind(t, first + 1) == TOKEN_LPAREN);
    if (is_text || last < first)
        return;
    if (first == last && repair_tokens_kind(t, first) == TOKEN_INT) {
        const struct str number = repair_tokens_text(t, first);
        repair_edits_change(e, first, last, str_join(t->arena, STR_PARTS(STR("'"), number, STR("'"))));
        return;
    }
    repair_edits_before(e, first, STR("string("));
    repair_edits_behind(e, last, STR(")"));
    repair_edits_show(
        e, str_join(t->arena, STR_PARTS(STR("string("), repair_tokens_slice(t, first, last), STR(")"))));
}

/* Returns true if a string stands in the sum around token i. */
static bool is_text_sum(const struct repair_tokens *t, size_t i)
{
    size_t end = repair_tokens_side_end(t, i);
    for (size_t k = repair_tokens_side_start(t, i - 1); k <= end; k++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, k) == TOKEN_STRING)
            return true;
        k = t->match[k] > k ? t->match[k] : k;
    }
    return false;
}

/* Returns true if the sum around token i is compared with a string. */
static bool is_compared_with_text(const struct repair_tokens *t, size_t i)
{
    const size_t end = repair_tokens_side_end(t, i);
    return is_equality(t, end + 1) && repair_tokens_kind(t, end + 2) == TOKEN_STRING;
}

/* Returns true if anything in the expression depends on a request. */
static bool has_name(const struct repair_tokens *t)
{
    for (size_t i = 0; i < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_is_name(t, i) && repair_tokens_kind(t, i + 1) != TOKEN_LPAREN)
            return true;
    }
    return false;
}

void repair_values_concatenation(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    size_t done = 0;
    for (size_t i = 1; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_PLUS || !has_name(t) ||
            (!is_text_sum(t, i) && !is_compared_with_text(t, i)))
            continue;
        size_t start = repair_tokens_chain_start(t, i - 1), end = repair_tokens_chain_end(t, i + 1);
        const bool is_text = is_text_sum(t, i);
        if (start >= done && (is_text || repair_tokens_kind(t, start) == TOKEN_INT))
            make_text(e, start, i - 1);
        if (is_text || repair_tokens_kind(t, i + 1) == TOKEN_INT)
            make_text(e, i + 1, end);
        done = end;
    }
}

/* ---- quantities ---- */

/* `x > 2`: quantity(x).compareTo(quantity('2')) > 0. */
void repair_values_quantities(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        enum token_kind kind = repair_tokens_kind(t, i), value = repair_tokens_kind(t, i + 1);
        arena_step(t->arena);
        if (!repair_tokens_is_relation(t, i) || kind == TOKEN_IN ||
            (value != TOKEN_INT && value != TOKEN_FLOAT) || repair_tokens_side_end(t, i + 1) != i + 1)
            continue;
        size_t start = repair_tokens_side_start(t, i - 1);
        if (!has_amount(t, start, i - 1))
            continue;
        struct str left = repair_tokens_slice(t, start, i - 1), number = repair_tokens_text(t, i + 1);
        repair_edits_change(
            e, start, i + 1,
            str_join(t->arena, STR_PARTS(STR("quantity("), left, STR(").compareTo(quantity('"), number,
                                         STR("')) "), repair_tokens_text(t, i), STR(" 0"))));
    }
}

static bool is_made(const struct repair_tokens *t, size_t i, const char *maker)
{
    return repair_tokens_is(t, i, maker) && repair_tokens_is_function(t, i);
}

/* The operand in a call of the maker, unless it is such a call already; a number becomes a text first. */
static struct str make_comparable(const struct repair_edits *e, size_t first, size_t last, const char *maker)
{
    const struct repair_tokens *t = &e->tokens;
    struct str slice = repair_tokens_slice(t, first, last);
    enum token_kind kind = repair_tokens_kind(t, first);
    bool is_number = first == last && (kind == TOKEN_INT || kind == TOKEN_FLOAT);
    if (is_made(t, first, maker))
        return repair_edits_operand(e, first, last);
    return str_join(t->arena, STR_PARTS(str_of(maker), STR("("), is_number ? STR("'") : STR(""), slice,
                                        is_number ? STR("'") : STR(""), STR(")")));
}

/* `quantity(a) > quantity(b)`, and of versions: a.compareTo(b) > 0. */
void repair_values_comparisons(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (!repair_tokens_is_relation(t, i) || repair_tokens_kind(t, i) == TOKEN_IN)
            continue;
        size_t start = repair_tokens_side_start(t, i - 1), end = repair_tokens_side_end(t, i + 1);
        bool is_version = is_made(t, start, "semver") || is_made(t, i + 1, "semver");
        const char *maker = is_version ? "semver" : "quantity";
        if (!is_made(t, start, maker) && !is_made(t, i + 1, maker))
            continue;
        repair_edits_change(
            e, start, end,
            str_join(t->arena, STR_PARTS(make_comparable(e, start, i - 1, maker), STR(".compareTo("),
                                         make_comparable(e, i + 1, end, maker), STR(") "),
                                         repair_tokens_text(t, i), STR(" 0"))));
        i = end;
    }
}

/* ---- the whole ---- */

/* a.?b.orValue(false) is a bool, but dyn to the compiler. */
static bool has_bool_default(const struct repair_tokens *t, size_t last)
{
    enum token_kind value = repair_tokens_kind(t, last - 1);
    return last >= 4 && repair_tokens_is_method(t, last - 3) && repair_tokens_is(t, last - 3, "orValue") &&
           (value == TOKEN_TRUE || value == TOKEN_FALSE) && repair_tokens_chain_end(t, 0) == last;
}

void repair_values_result(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    if (t->count < 2)
        return;
    size_t last = t->count - 2;
    struct str all = repair_tokens_slice(t, 0, last);
    if (last == 0 && repair_tokens_kind(t, 0) == TOKEN_STRING && all.len > 4 &&
        memchr(all.at + 1, all.at[0], all.len - 2) == NULL) {
        struct str inner = {all.at + 1, all.len - 2};
        repair_edits_replace(e, 0, 0, inner);
        repair_edits_say(e, STR("the quotes make a string of the whole expression"));
        repair_edits_offer(e);
    }
    repair_edits_change(e, 0, last, str_join(t->arena, STR_PARTS(STR("string("), all, STR(")"))));
    repair_edits_offer(e);
    if (has_bool_default(t, last)) {
        repair_edits_behind(e, last, STR(" == true"));
        repair_edits_show(e, STR("... == true"));
        repair_edits_offer(e);
    }
    repair_edits_before(e, 0, STR("["));
    repair_edits_behind(e, last, STR("]"));
    repair_edits_show(e, repair_tokens_is(t, 0, "JSONPatch") ? STR("[JSONPatch{...}]") : STR("[...]"));
    if (!repair_tokens_is(t, 0, "JSONPatch"))
        e->count = e->shown_count = 0;
    repair_edits_offer(e);
    if (repair_tokens_kind(t, 0) == TOKEN_LBRACE) {
        repair_edits_before(e, 0, STR("Object"));
        repair_edits_show(e, STR("Object{...}"));
    }
}

/* ---- membership ---- */

void repair_values_membership(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 1; i + 1 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_IN)
            continue;
        size_t start = repair_tokens_side_start(t, i - 1), end = repair_tokens_side_end(t, i + 1);
        struct str item = repair_tokens_slice(t, start, i - 1), text = repair_edits_operand(e, i + 1, end);
        if (repair_tokens_kind(t, i + 1) == TOKEN_STRING)
            repair_edits_change(e, start, end,
                                str_join(t->arena, STR_PARTS(item, STR(" in ["), text, STR("]"))));
        else
            repair_edits_change(e, start, end,
                                str_join(t->arena, STR_PARTS(text, STR(".contains("), item, STR(")"))));
    }
    repair_edits_offer(e);
    for (size_t i = 1; i + 1 < t->count; i++) {
        enum token_kind kind = repair_tokens_kind(t, i);
        arena_step(t->arena);
        if ((kind != TOKEN_EQUALS && kind != TOKEN_NOT_EQUALS) ||
            repair_tokens_kind(t, i + 1) != TOKEN_STRING)
            continue;
        size_t start = repair_tokens_side_start(t, i - 1);
        struct str list = repair_tokens_slice(t, start, i - 1), item = repair_tokens_text(t, i + 1);
        bool is_not = kind == TOKEN_NOT_EQUALS;
        repair_edits_change(e, start, i + 1,
                            str_join(t->arena, STR_PARTS(is_not ? STR("!(") : STR(""), item, STR(" in "),
                                                         list, is_not ? STR(")") : STR(""))));
    }
}

/* ---- bytes ---- */

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* The end of the string that begins at i: after its quote, or the end of the text. */
static size_t string_end(struct str s, size_t i, bool is_raw, bool *has_odd_escape)
{
    char quote = s.at[i];
    for (i++; i < s.len && s.at[i] != quote && s.at[i] != '\n'; i++) {
        if (s.at[i] == '\\' && !is_raw && i + 1 < s.len) {
            i++;
            *has_odd_escape = *has_odd_escape || strchr("abfnrtv\\?\"'`xXuU01234567", s.at[i]) == NULL;
        }
    }
    return i < s.len && s.at[i] == quote ? i + 1 : i;
}

/* '\d' is not a string, r'\d' is one. */
static void make_raw(struct repair_edits *e)
{
    struct str s = e->tokens.text;
    arena_pay(e->tokens.arena, 1 + s.len / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < s.len; i++) {
        bool is_odd = false;
        if (!is_quote(s.at[i]))
            continue;
        size_t end = string_end(s, i, i > 0 && (s.at[i - 1] == 'r' || s.at[i - 1] == 'R'), &is_odd);
        if (is_odd) {
            struct str text = {s.at + i, end - i};
            repair_edits_put(e, (uint32_t)i, (uint32_t)i, STR("r"));
            repair_edits_show(e, str_join(e->tokens.arena, STR_PARTS(STR("r"), text)));
        }
        i = end - 1;
    }
}

/* matches('*.x') is a pattern of file names: '.*\\.x'. */
static void make_regexp(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 0; i + 2 < t->count; i++) {
        struct str s = repair_tokens_text(t, i + 2);
        arena_step(t->arena);
        if (!repair_tokens_is_method(t, i) || !repair_tokens_is(t, i, "matches") ||
            repair_tokens_kind(t, i + 2) != TOKEN_STRING || s.len < 3 || !is_quote(s.at[0]) || s.at[1] != '*')
            continue;
        struct text made = {.arena = t->arena};
        text_add(&made, STR("r"));
        text_add_char(&made, s.at[0]);
        text_add(&made, STR("^"));
        arena_pay(t->arena, s.len);
        for (size_t k = 1; k + 1 < s.len; k++) {
            if (s.at[k] == '*' || s.at[k] == '.')
                text_add(&made, s.at[k] == '*' ? STR(".*") : STR("\\."));
            else
                text_add_char(&made, s.at[k]);
        }
        text_add(&made, STR("$"));
        text_add_char(&made, s.at[0]);
        repair_edits_change(e, i + 2, i + 2, text_str(&made));
    }
}

/* /a/ as in JavaScript. */
static void quote_pattern(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    for (size_t i = 2; i + 2 < t->count; i++) {
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) != TOKEN_LPAREN || repair_tokens_kind(t, i + 1) != TOKEN_SLASH ||
            t->match[i] < i + 4 || repair_tokens_kind(t, t->match[i] - 1) != TOKEN_SLASH)
            continue;
        struct str inner = repair_tokens_slice(t, i + 2, t->match[i] - 2);
        repair_edits_change(e, i + 1, t->match[i] - 1,
                            str_join(t->arena, STR_PARTS(STR("r'"), inner, STR("'"))));
    }
}

void repair_values_patterns(struct repair_edits *e)
{
    make_raw(e);
    repair_edits_offer(e);
    make_regexp(e);
    repair_edits_offer(e);
    quote_pattern(e);
}

/* Closes the brackets that are open at the end, the innermost first; a bracket that closes nothing is taken
 * out. */
void repair_values_brackets(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    struct text missing = {.arena = t->arena};
    uint32_t end = (uint32_t)t->text.len;
    for (size_t i = t->count; i-- > 0;) {
        enum token_kind kind = repair_tokens_kind(t, i);
        arena_step(t->arena);
        if (t->match[i] != i)
            continue;
        if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE)
            text_add(&missing, kind == TOKEN_LPAREN     ? STR(")")
                               : kind == TOKEN_LBRACKET ? STR("]")
                                                        : STR("}"));
    }
    if (missing.len > 0) {
        repair_edits_put(e, end, end, text_str(&missing));
        repair_edits_say(
            e, str_join(t->arena, STR_PARTS(STR("'"), text_str(&missing), STR("' is missing at the end"))));
        repair_edits_offer(e);
    }
    for (size_t i = t->count; i-- > 0;) {
        enum token_kind kind = repair_tokens_kind(t, i);
        bool is_close = kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
        arena_step(t->arena);
        if (!is_close || t->match[i] != i || i == 0)
            continue;
        repair_edits_replace(e, i, i, STR(""));
        repair_edits_say(e, str_join(t->arena, STR_PARTS(STR("nothing opens this '"),
                                                         repair_tokens_text(t, i), STR("'"))));
    }
    repair_edits_offer(e);
    for (size_t i = 0; i < t->count; i++) {
        struct str s = repair_tokens_text(t, i);
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) == TOKEN_BAD && s.len > 1 && is_quote(s.at[0])) {
            struct str quote = {s.at, 1};
            repair_edits_behind(e, i, quote);
            repair_edits_say(e, STR("the quote that ends the string is missing"));
        }
    }
}

/* The quotes that word processors make; what they should be. */
static struct str plain_quote(struct str s, size_t i, size_t *len)
{
    static const struct {
        struct str odd, plain;
    } QUOTES[] = {
        {STR_INIT("\xe2\x80\x98"), STR_INIT("'")},
        {STR_INIT("\xe2\x80\x99"), STR_INIT("'")},
        {STR_INIT("\xe2\x80\x9c"), STR_INIT("\"")},
        {STR_INIT("\xe2\x80\x9d"), STR_INIT("\"")},
    };
    struct str rest = {s.at + i, s.len - i};
    for (size_t k = 0; k < sizeof QUOTES / sizeof *QUOTES; k++) {
        if (str_has_prefix(rest, QUOTES[k].odd)) {
            *len = QUOTES[k].odd.len;
            return QUOTES[k].plain;
        }
    }
    return STR("");
}

static void fix_quotes(struct repair_edits *e)
{
    struct str s = e->tokens.text;
    arena_pay(e->tokens.arena, 1 + s.len / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < s.len; i++) {
        size_t len = 0;
        struct str plain = (unsigned char)s.at[i] == 0xe2 ? plain_quote(s, i, &len) : STR("");
        if (plain.len == 0)
            continue;
        repair_edits_put(e, (uint32_t)i, (uint32_t)(i + len), plain);
        repair_edits_say(e, STR("strings stand between plain quotes"));
    }
}

/* `{{ x }}`, `${x}`, `${{ x }}` around all of it. */
static void strip_template(struct repair_edits *e)
{
    static const struct {
        struct str open, close;
    } FRAMES[] = {{STR_INIT("${{"), STR_INIT("}}")},
                  {STR_INIT("{{"), STR_INIT("}}")},
                  {STR_INIT("${"), STR_INIT("}")},
                  {STR_INIT("$("), STR_INIT(")")}};
    struct str s = e->tokens.text;
    while (s.len > 0 && (s.at[s.len - 1] == ' ' || s.at[s.len - 1] == '\n'))
        s.len--;
    for (size_t k = 0; k < sizeof FRAMES / sizeof *FRAMES; k++) {
        if (!str_has_prefix(s, FRAMES[k].open) || !str_has_suffix(s, FRAMES[k].close) ||
            s.len <= FRAMES[k].open.len + FRAMES[k].close.len)
            continue;
        struct str inner = {s.at + FRAMES[k].open.len, s.len - FRAMES[k].open.len - FRAMES[k].close.len};
        repair_edits_put(e, 0, (uint32_t)s.len, inner);
        repair_edits_say(
            e, str_join(e->tokens.arena, STR_PARTS(STR("CEL stands without \'"), FRAMES[k].open, STR("\'"))));
        return;
    }
}

void repair_values_signs(struct repair_edits *e)
{
    const struct repair_tokens *t = &e->tokens;
    size_t last = t->count >= 2 ? t->count - 2 : 0;
    fix_quotes(e);
    repair_edits_offer(e);
    strip_template(e);
    repair_edits_offer(e);
    bool is_left_over = repair_tokens_is(t, last, ";") || repair_tokens_kind(t, last) == TOKEN_AND ||
                        repair_tokens_kind(t, last) == TOKEN_OR || repair_tokens_kind(t, last) == TOKEN_COMMA;
    if (is_left_over && last > 0) {
        repair_edits_put(e, t->list[last - 1].end, t->list[last].end, STR(""));
        repair_edits_say(e, str_join(t->arena, STR_PARTS(STR("leave out the '"), repair_tokens_text(t, last),
                                                         STR("' at the end"))));
    }
    repair_edits_offer(e);
    for (size_t i = 0; i < t->count; i++) {
        struct str s = repair_tokens_text(t, i);
        arena_step(t->arena);
        if (repair_tokens_kind(t, i) == TOKEN_ESCAPED_IDENT && repair_tokens_kind(t, i - 1) != TOKEN_DOT) {
            struct str quoted =
                str_join(t->arena, STR_PARTS(STR("'"), ((struct str){s.at + 1, s.len - 2}), STR("'")));
            repair_edits_change(e, i, i, quoted);
        } else if (repair_tokens_is(t, i, "#")) {
            repair_edits_replace(e, i, i, STR("//"));
            repair_edits_show(e, STR("//"));
        }
    }
}
