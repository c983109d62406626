#include "cmd/kubectl-vapcheck/output/typewords.h"

#include <string.h>

#include "client/base/mem.h"

/* The bytes before the first `end` that stands in no parentheses. */
static size_t span_to(struct str s, char end)
{
    size_t depth = 0, i = 0;
    for (; i < s.len && (depth > 0 || s.at[i] != end); i++)
        depth += s.at[i] == '(' ? 1 : s.at[i] == ')' && depth > 0 ? (size_t)-1 : 0;
    return i;
}

bool typewords_next(struct str *list, struct str *type)
{
    if (list->len == 0)
        return false;
    *type = (struct str){list->at, span_to(*list, ',')};
    *list = str_skip(*list, type->len);
    while (list->len > 0 && (list->at[0] == ',' || list->at[0] == ' '))
        *list = str_skip(*list, 1);
    return true;
}

struct typewords_call typewords_split(struct str operands)
{
    struct typewords_call call = {STR(""), operands};
    if (operands.len == 0 || operands.at[operands.len - 1] != ')')
        return call;
    const size_t open = span_to(operands, '(');
    size_t from = open; /* of the last pair of parentheses */
    for (size_t depth = 0, i = operands.len; i-- > 0;) {
        depth += operands.at[i] == ')';
        if (operands.at[i] == '(' && --depth == 0) {
            from = i;
            break;
        }
    }
    call.arguments = (struct str){operands.at + from + 1, operands.len - from - 2};
    if (from > 0) /* with the dot behind it */
        call.target = (struct str){operands.at, from - 1};
    return call;
}

/* "list", with what stands in its parentheses; empty: it has none. */
static struct str name_of(struct str type, struct str *inside)
{
    const size_t open = span_to(type, '(');
    *inside = STR("");
    if (open + 1 >= type.len)
        return type;
    *inside = (struct str){type.at + open + 1, type.len - open - 2};
    return (struct str){type.at, open};
}

bool typewords_is_range(struct str type)
{
    struct str inside;
    const struct str name = name_of(type, &inside);
    return str_eq(name, STR("list")) || str_eq(name, STR("map"));
}

static bool is_unknown(struct str type)
{
    return str_eq(type, STR("dyn")) || str_eq(type, STR("any"));
}

/* The types of a schema's objects are paths from their root. */
static bool is_object(struct str type)
{
    struct str inside;
    const struct str name = name_of(type, &inside);
    const bool is_path = memchr(name.at, '.', name.len) != NULL;
    return inside.len == 0 && is_path && !str_has_prefix(name, STR("google.")) &&
           !str_has_prefix(name, STR("kubernetes.")) && !str_has_prefix(name, STR("net."));
}

static char *of_name(struct str name)
{
    static const struct {
        struct str name, words;
    } names[] = {
        {STR_INIT("dyn"), STR_INIT("value of unknown type")},
        {STR_INIT("any"), STR_INIT("value of unknown type")},
        {STR_INIT("null_type"), STR_INIT("null")},
        {STR_INIT("google.protobuf.Timestamp"), STR_INIT("timestamp")},
        {STR_INIT("google.protobuf.Duration"), STR_INIT("duration")},
        {STR_INIT("optional_type"), STR_INIT("optional value")},
        {STR_INIT("net.IP"), STR_INIT("IP address")},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_eq(names[i].name, name))
            return mem_strndup(names[i].words.at, names[i].words.len);
    }
    const size_t dot = str_find_last(name, '.');
    const struct str last = dot == SIZE_MAX ? name : str_skip(name, dot + 1);
    if (str_has_prefix(last, STR("@"))) /* an item of a list, or a value of a map */
        return mem_printf("%.*s[]", (int)dot, name.at);
    return is_object(name) ? mem_strndup(name.at, name.len) : mem_strndup(last.at, last.len);
}

static char *words_of(struct str type);

/* "objects", "int", "list of string". */
static char *of_item(struct str type)
{
    return is_object(type) ? mem_strdup("objects") : words_of(type);
}

static char *words_of(struct str type)
{
    struct str inside, first;
    const struct str name = name_of(type, &inside);
    if (!typewords_next(&inside, &first) || is_unknown(first))
        return of_name(name);
    if (str_eq(name, STR("map")) && inside.len > 0) {
        cleanup_mem char *value = of_item(inside);
        return is_unknown(inside) ? mem_strdup("map") : mem_printf("map of %s", value);
    }
    cleanup_mem char *item = of_item(first);
    if (str_eq(name, STR("list")))
        return mem_printf("list of %s", item);
    if (str_eq(name, STR("optional_type")))
        return mem_printf("optional %s", item);
    return mem_printf("%.*s of %s", STR_ARG(name), item);
}

char *typewords_with_article(struct str type)
{
    char *words = words_of(type);
    if (str_eq(str_of(words), STR("null")))
        return words;
    cleanup_mem char *short_words = words;
    const bool is_vowel = strchr("aeiouAEIO", words[0]) != NULL && strncmp(words, "uint", 4) != 0;
    return mem_printf("%s %s", is_vowel ? "an" : "a", short_words);
}
