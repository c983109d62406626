#include "typecheck/policy/crdrules/crd_error.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/field_path.h"
#include "typecheck/golang/gonumber.h"
#include "typecheck/golang/goquote.h"
#include "typecheck/policy/crdrules/custom_value.h"

/* ---- places ---- */

static void write_way(struct text *t, const struct crd_error_way *way)
{
    if (way == NULL)
        return;
    write_way(t, way->outer);
    if (way->kind == CRD_ERROR_FIELD) {
        text_add(t, t->len == 0 ? STR("") : STR("."));
        text_add(t, way->name);
    } else if (way->kind == CRD_ERROR_ENTRY) {
        text_add_char(t, '[');
        text_add(t, way->name);
        text_add_char(t, ']');
    } else {
        text_addf(t, "[%zu]", way->index);
    }
}

struct str crd_error_path(struct arena *a, const struct crd_error_way *way, struct str below)
{
    struct text t = {.arena = a};
    if (way == NULL && below.len == 0)
        return STR("<nil>");
    write_way(&t, way);
    text_add(&t, t.len == 0 || below.len == 0 ? STR("") : STR("."));
    text_add(&t, below);
    return text_str(&t);
}

struct str crd_error_field(struct arena *a, const struct value *schema, struct str field_path)
{
    struct text t = {.arena = a};
    struct str name;
    enum field_path_step step;
    char *room = ARENA_ARRAY(a, field_path.len, char);
    arena_pay(a, field_path.len / ARENA_STEP_BYTES);
    while ((step = field_path_next(&field_path, room, &name)) == FIELD_PATH_NAME) {
        const struct value *properties = custom_value_member(a, schema, STR("properties"));
        arena_step(a);
        if (properties != NULL) {
            text_add(&t, t.len == 0 ? STR("") : STR("."));
            text_add(&t, name);
            schema = custom_value_member(a, properties, name);
        } else {
            text_add_char(&t, '[');
            text_add(&t, name);
            text_add_char(&t, ']');
            schema = custom_value_member(a, schema, STR("additionalProperties"));
        }
        if (schema == NULL)
            return STR("");
    }
    return step == FIELD_PATH_END ? text_str(&t) : STR("");
}

/* ---- bodies ---- */

/* A scalar as Go prints it there. */
static void write_value(struct text *t, const struct value *v)
{
    switch (v->kind) {
    case VALUE_BOOL:
        text_add(t, v->boolean ? STR("true") : STR("false"));
        break;
    case VALUE_INT:
        text_addf(t, "%lld", (long long)v->integer);
        break;
    case VALUE_DOUBLE:
        text_add(t, gonumber_double_text(t->arena, v->floating));
        break;
    default:
        goquote_add(t, v->text);
        break;
    }
}

struct str crd_error_body(struct arena *a, struct str reason, const struct value *value, struct str detail)
{
    static const struct {
        struct str reason, words;
        bool shows_value, has_detail;
    } kinds[] = {{STR_INIT("FieldValueForbidden"), STR_INIT("Forbidden"), false, true},
                 {STR_INIT("FieldValueRequired"), STR_INIT("Required value"), false, true},
                 {STR_INIT("FieldValueDuplicate"), STR_INIT("Duplicate value"), true, false},
                 {STR_INIT(""), STR_INIT("Invalid value"), true, true}};
    struct text t = {.arena = a};
    size_t i = 0;
    while (kinds[i].reason.len != 0 && !str_eq(kinds[i].reason, reason))
        i++;
    text_add(&t, kinds[i].words);
    if (kinds[i].shows_value && value != NULL) {
        text_add(&t, STR(": "));
        write_value(&t, value);
    }
    if (kinds[i].has_detail && detail.len != 0) {
        text_add(&t, STR(": "));
        text_add(&t, detail);
    }
    return text_str(&t);
}

struct str crd_error_list(struct arena *a, const struct str *texts, size_t count)
{
    struct text t = {.arena = a};
    size_t written = 0;
    struct value *seen = value_map_new(a, count);
    for (size_t i = 0; i < count; i++) {
        const struct value *text = value_string(a, texts[i]);
        arena_step(a);
        if (value_map_at(a, seen->map, text) != NULL)
            continue;
        value_map_set(a, seen->map, text, &value_true);
        text_add(&t, written++ == 0 ? STR("") : STR(", "));
        text_add(&t, texts[i]);
    }
    struct str all = text_str(&t);
    return written < 2 ? all : str_join(a, STR_PARTS(STR("["), all, STR("]")));
}
