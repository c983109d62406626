#include "typecheck/policy/abstract/domain/absval_text.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/absmap.h"

static void print(struct text *out, const struct absval *v);

static void print_part(struct text *out, const struct absval *part)
{
    text_add_char(out, '(');
    if (part == NULL)
        text_add(out, STR("dyn"));
    else
        print(out, part);
    text_add_char(out, ')');
}

static void print_kind(struct text *out, const struct absval *v, uint32_t kind)
{
    const struct absmap *m = kind == ABS_MAP ? v->maps : NULL;
    if (m != NULL && m->next == NULL && m->type != NULL)
        type_print(out, m->type);
    else if (kind == ABS_OPAQUE)
        text_add(out, v->opaque.len == 0 ? STR("opaque") : v->opaque);
    else
        text_add(out, kinds_name(kind));
    if (kind == ABS_LIST)
        print_part(out, v->list == NULL ? NULL : v->list->element);
    if (kind == ABS_OPTIONAL)
        print_part(out, v->inner);
}

/* null is named only where there is nothing else: any optional field might be it. */
static void print(struct text *out, const struct absval *v)
{
    uint32_t kinds = v->kinds == ABS_NULL ? v->kinds : v->kinds & ~(uint32_t)ABS_NULL;
    arena_step(out->arena);
    if ((v->kinds & ABS_JSON) == ABS_JSON || kinds == 0) {
        text_add(out, STR("dyn"));
        return;
    }
    bool is_first = true;
    for (uint32_t kind = 1; kind <= ABS_OPAQUE; kind *= 2) {
        if ((kinds & kind) == 0)
            continue;
        if (!is_first)
            text_add(out, STR(" or "));
        print_kind(out, v, kind);
        is_first = false;
    }
}

struct str absval_text(struct arena *a, const struct absval *v)
{
    struct text text = {.arena = a};
    print(&text, v);
    return text_str(&text);
}
