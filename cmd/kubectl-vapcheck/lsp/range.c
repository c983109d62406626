#include "cmd/kubectl-vapcheck/lsp/range.h"

#include "client/text/jsonval.h"

size_t range_offset(const struct textlines *text, struct yaml_place place)
{
    if (place.line == 0)
        return 0;
    return textlines_offset(text, (struct textlines_place){place.line - 1, place.column - 1},
                            TEXTLINES_UTF32);
}

static struct json_object *position_of(const struct textlines *text, size_t offset, enum textlines_unit unit)
{
    const struct textlines_place place = textlines_place(text, offset, unit);
    struct json_object *position = json_object_new_object();
    jsonval_set(position, "line", json_object_new_int64((int64_t)place.line));
    jsonval_set(position, "character", json_object_new_int64((int64_t)place.column));
    return position;
}

struct json_object *range_json(const struct textlines *text, size_t from, size_t to, enum textlines_unit unit)
{
    struct json_object *range = json_object_new_object();
    jsonval_set(range, "start", position_of(text, from, unit));
    jsonval_set(range, "end", position_of(text, to, unit));
    return range;
}
