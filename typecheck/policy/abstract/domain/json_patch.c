#include "typecheck/policy/abstract/domain/json_patch.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/json_pointer.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/absval_text.h"
#include "typecheck/policy/abstract/domain/bounds.h"

/* ---- one operation ---- */

enum edit {
    EDIT_ADD,
    EDIT_REPLACE,
    EDIT_REMOVE,
    EDIT_GET,
};

struct walk {
    struct json_patch *patch;
    enum edit edit;
    struct str path;              /* whole */
    const struct absval *value;   /* that is set */
    const struct absval *taken;   /* that was there; NULL: nothing was reached yet */
    const struct failure *failed; /* of what was looked at last */
};

static const struct absval *edit_at(struct walk *w, const struct absval *v, struct str at, struct str rest);

/* The document cannot be such that the operation applies. */
static const struct absval *fail_with(struct walk *w, struct failure failure)
{
    struct arena *a = w->patch->arena;
    failure.code = ISSUE_WRONG_MUTATION;
    failure.message =
        str_join(a, STR_PARTS(STR("the path '"), w->path, STR("' is never there: "), failure.message));
    failure.about = issue_about_pack(a, &(struct issue_about){.name = w->path});
    w->failed = transfer_fails(a, failure).failure;
    return NULL;
}

static const struct absval *fail(struct walk *w, const struct str *why, size_t parts)
{
    return fail_with(w, (struct failure){.message = str_join(w->patch->arena, why, parts)});
}

static const struct absval *fail_undefined(struct walk *w, const struct absval *v, struct str name)
{
    const struct absmap *map = v->maps; /* the first of those without it */
    const struct absfield *field = absmap_field(w->patch->arena, map, name);
    const struct absreason why = field != NULL ? field->why : map->why;
    bool is_known = field != NULL || why.text.len != 0 || map->next != NULL;
    struct str message =
        str_join(w->patch->arena, STR_PARTS(STR("undefined field '"), name, STR("'"),
                                            why.text.len == 0 ? STR("") : STR(": "), why.text));
    return fail_with(w, (struct failure){.is_here = why.is_here,
                                         .message = message,
                                         .hint = {.map = is_known ? NULL : map, .field = name}});
}

/* Each of the maps with it. */
static const struct absval *set_field(struct walk *w, const struct absval *v, const struct absfield *field)
{
    static const struct absmap open = {.key = &absval_string, .value = &absval_json};
    struct arena *a = w->patch->arena;
    const struct absval *all = NULL;
    size_t count = 0;
    bool is_small = true;
    for (const struct absmap *m = v->maps; m != NULL && is_small; m = m->next)
        is_small = ++count <= BOUNDS_SORTS && m->field_count <= BOUNDS_FIELDS;
    if (count == 0 || !is_small)
        return absval_of_map(a, absmap_with(a, &open, field));
    for (const struct absmap *m = v->maps; m != NULL; m = m->next)
        all = absval_join(a, all, absval_of_map(a, absmap_with(a, m, field)));
    return all;
}

static void take(struct walk *w, const struct absval *value)
{
    w->taken = absval_join(w->patch->arena, w->taken, value);
}

static const struct absval *edit_map(struct walk *w, const struct absval *v, struct str name, struct str rest)
{
    struct json_patch *p = w->patch;
    struct absmap_found found = absmap_find(p->arena, p->types, v, name);
    struct absfield field = {.name = name, .presence = ABS_PRESENT, .value = w->value};
    const bool is_last = rest.at == NULL, is_set = w->edit == EDIT_ADD || w->edit == EDIT_REPLACE;
    if (found.presence == ABS_ABSENT && !(is_last && w->edit != EDIT_REMOVE))
        return fail_undefined(w, v, name);
    if (!is_last) {
        field.value = edit_at(w, found.value, name, rest);
        return field.value == NULL ? NULL : w->edit == EDIT_GET ? v : set_field(w, v, &field);
    }
    if (is_set)
        return set_field(w, v, &field);
    if (found.presence != ABS_PRESENT && w->edit == EDIT_GET)
        take(w, &absval_null);
    if (found.presence != ABS_ABSENT)
        take(w, found.value);
    if (w->edit == EDIT_GET)
        return v;
    field = (struct absfield){
        .name = name, .presence = ABS_ABSENT, .why = {STR("an operation before removes it"), false}};
    return set_field(w, v, &field);
}

/* Returns true if no list with these items has such a place: one more to add, none for other texts than
 * digits. */
static bool is_beyond(const struct absval *v, struct str index, bool is_added)
{
    const size_t most = absval_is_exact_list(v) ? v->list->count : SIZE_MAX;
    size_t number = 0;
    for (size_t i = 0; i < index.len && number <= most; i++) {
        if (index.at[i] < '0' || index.at[i] > '9')
            return false;
        number = number * 10 + (size_t)(index.at[i] - '0');
    }
    return most != SIZE_MAX && (is_added ? number > most : number >= most);
}

static const struct absval *edit_list(struct walk *w, const struct absval *v, struct str index,
                                      struct str rest)
{
    struct arena *a = w->patch->arena;
    const struct absval *element = absval_elements(v);
    const bool is_last = rest.at == NULL, is_end = str_eq(index, STR("-"));
    if (is_end && !(is_last && w->edit == EDIT_ADD))
        return fail(w, STR_PARTS(STR("'-' is the place behind a list's last item")));
    if (!is_end && !json_pointer_is_index(index))
        return fail(w, STR_PARTS(STR("'"), index, STR("' is no index of a list")));
    if (!is_end && is_beyond(v, index, is_last && w->edit == EDIT_ADD))
        return fail(w, STR_PARTS(STR("the list has fewer items than '"), index, STR("' needs")));
    element = element == NULL ? &absval_json : element;
    if (!is_last) {
        const struct absval *child = edit_at(w, element, index, rest);
        if (child == NULL || w->edit == EDIT_GET)
            return child == NULL ? NULL : v;
        return absval_of_elements(a, absval_join(a, element, child));
    }
    if (w->edit == EDIT_GET || w->edit == EDIT_REMOVE)
        take(w, element);
    if (w->edit == EDIT_GET)
        return v;
    return absval_of_elements(a, w->edit == EDIT_REMOVE ? element : absval_join(a, element, w->value));
}

/* The value at `at`, after the edit at the rest of the path. Recurses as deep as the path is. */
static const struct absval *edit_at(struct walk *w, const struct absval *v, struct str at, struct str rest)
{
    struct arena *a = w->patch->arena;
    const struct absval *after = NULL;
    struct str part;
    arena_step(a);
    (void)json_pointer_next(a, &rest, &part);
    const uint32_t last = json_pointer_is_index(part) ? ABS_LIST : ABS_MAP; /* if both fail, that says why */
    for (uint32_t kind = last ^ ABS_LIST ^ ABS_MAP, tried = 0; tried < 2; kind = last, tried++) {
        if ((v->kinds & kind) != 0)
            after = absval_join(a, after,
                                kind == ABS_LIST ? edit_list(w, v, part, rest) : edit_map(w, v, part, rest));
    }
    if ((v->kinds & ABS_NULL) != 0 && w->edit == EDIT_GET) { /* a null that was just added is read as a map */
        take(w, &absval_json);
        after = absval_join(a, after, &absval_null);
    }
    if (after == NULL && (v->kinds & (ABS_MAP | ABS_LIST)) == 0)
        return fail(w, STR_PARTS(STR("'"), at, STR("' is of the type '"), absval_text(a, v), STR("'")));
    return after;
}

static size_t count_parts(struct str path)
{
    size_t count = 1;
    for (size_t i = 0; i < path.len; i++)
        count += path.at[i] == '/';
    return count;
}

static const struct failure *apply(struct json_patch *p, enum edit edit, struct str path,
                                   const struct absval *value)
{
    struct walk w = {.patch = p, .edit = edit, .path = path, .value = value};
    arena_pay_bytes(p->arena, path.len);
    p->taken = &absval_json;
    if (count_parts(path) > BOUNDS_PATH_PARTS) {
        p->document = &absval_json;
        return NULL;
    }
    const struct absval *after = edit_at(&w, p->document, STR(""), json_pointer_parts(path));
    if (after == NULL)
        return w.failed;
    p->document = after;
    p->taken = w.taken == NULL ? &absval_json : w.taken;
    return NULL;
}

/* Enters the path with the end of a list, or a key that every map takes: only the way there can fail. */
const struct failure *json_patch_enter(struct json_patch *p, struct str path)
{
    struct json_patch within = *p;
    struct walk w = {.patch = &within,
                     .edit = EDIT_ADD,
                     .path = str_join(p->arena, STR_PARTS(path, STR("/..."))),
                     .value = &absval_null};
    struct str parts = json_pointer_parts(str_join(p->arena, STR_PARTS(path, STR("/-"))));
    bool is_short = count_parts(path) <= BOUNDS_PATH_PARTS;
    return is_short && edit_at(&w, p->document, STR(""), parts) == NULL ? w.failed : NULL;
}

const struct failure *json_patch_add(struct json_patch *p, struct str path, const struct absval *value)
{
    return apply(p, EDIT_ADD, path, value);
}

const struct failure *json_patch_replace(struct json_patch *p, struct str path, const struct absval *value)
{
    return apply(p, EDIT_REPLACE, path, value);
}

const struct failure *json_patch_remove(struct json_patch *p, struct str path)
{
    return apply(p, EDIT_REMOVE, path, NULL);
}

const struct failure *json_patch_get(struct json_patch *p, struct str path)
{
    return apply(p, EDIT_GET, path, NULL);
}

/* ---- values ---- */

const struct absval *json_patch_value(const struct absval *v)
{
    bool is_json = !v->is_error && (v->kinds & ~(uint32_t)(ABS_JSON | ABS_UINT)) == 0;
    return is_json ? v : &absval_json;
}
