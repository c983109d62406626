#include "typecheck/policy/abstract/domain/format_call.h"

#include "typecheck/cel/interpreter/functions/string_format.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/absval_text.h"

/* The kinds of value that have one of these types. */
static uint32_t kinds_of_types(unsigned types)
{
    static const uint32_t kinds[] = {
        [TYPE_NULL] = ABS_NULL,   [TYPE_BOOL] = ABS_BOOL,         [TYPE_INT] = ABS_INT,
        [TYPE_UINT] = ABS_UINT,   [TYPE_DOUBLE] = ABS_DOUBLE,     [TYPE_STRING] = ABS_STRING,
        [TYPE_BYTES] = ABS_BYTES, [TYPE_DURATION] = ABS_DURATION, [TYPE_TIMESTAMP] = ABS_TIMESTAMP,
        [TYPE_LIST] = ABS_LIST,   [TYPE_MAP] = ABS_MAP,           [TYPE_TYPE] = ABS_TYPE,
    };
    uint32_t all = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        all |= (types & TYPE_KIND(i)) != 0 ? kinds[i] : 0;
    return all;
}

/* As the server names it; where it may be of several kinds, all of them. */
static struct str name_of(struct arena *a, const struct absval *v)
{
    const struct str name = kinds_name(v->kinds);
    return name.len == 0 ? absval_text(a, v) : name;
}

/* The first clause that fails, whatever the objects are. */
bool format_call_fails(struct arena *a, struct str format, const struct abslist *args, struct failure *why)
{
    struct string_format_clause clause;
    size_t used = 0, at = 0;
    for (; string_format_next(a, format, &at, &clause); used++) {
        arena_step(a);
        const struct absval *given = used < args->count ? args->items[used] : NULL;
        if (given != NULL && (given->kinds & kinds_of_types(clause.types)) != 0)
            continue;
        *why = (struct failure){.code = ISSUE_WRONG_CONSTANT};
        why->message = given == NULL
                           ? str_format(a, "index %zu out of range", used)
                           : str_join(a, STR_PARTS(STR("error during formatting: "), str_of(clause.complaint),
                                                   STR(", was given "), name_of(a, given)));
        return true;
    }
    return false;
}
