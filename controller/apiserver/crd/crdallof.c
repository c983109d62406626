#include "controller/apiserver/crd/crdallof.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdversion.h"
#include "controller/apiserver/crd/crdwork.h"

/* The limits on the work and on the copied text (crdwork.h). They are enough for each schema that an API
 * server accepts. */
#define MAX_STEPS      ((uint64_t)5 * 1000 * 1000)
#define MAX_TEXT_BYTES ((size_t)4 * 1024 * 1024)

static const char *const keywords[] = {"maxLength", "maxItems", "maxProperties"};

struct search {
    struct crdwork work;
    struct crdallof *out;
};

/* The least bound in the lists of allOf here and below; -1: there is none. Recurses as deep as the JSON is.
 */
static int64_t least_bound(struct search *s, struct json_object *schema, const char *keyword)
{
    struct json_object *list = jsonval_array(schema, "allOf");
    int64_t least = -1;
    for (size_t i = 0; i < jsonval_length(list) && crdwork_pay(&s->work, 1); i++) {
        int64_t here = jsonval_int(jsonval_at(list, i), keyword, -1),
                below = least_bound(s, jsonval_at(list, i), keyword);
        least = here >= 0 && (least < 0 || here < least) ? here : least;
        least = below >= 0 && (least < 0 || below < least) ? below : least;
    }
    return least;
}

static void add_bounds(struct search *s, struct json_object *schema, const char *field)
{
    struct crdallof *out = s->out;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        int64_t bound = jsonval_get(schema, keywords[i]) != NULL ? -1 : least_bound(s, schema, keywords[i]);
        if (bound < 0 || !crdwork_pay_text(&s->work, strlen(field) + sizeof *out->items))
            continue;
        jsonval_set(schema, keywords[i], json_object_new_int64(bound));
        out->items = mem_grow(out->items, out->count, sizeof *out->items);
        out->items[out->count++] = (struct crdallof_bound){mem_strdup(field), keywords[i], bound};
    }
}

/* Returns whether this schema or one inside it has rules. is_ruled: a schema around it has rules. Recurses as
 * deep as the JSON is. */
static bool visit(struct search *s, struct json_object *schema, const char *field, bool is_ruled)
{
    static const enum crdchild_way data[] = {CRDCHILD_ITEMS, CRDCHILD_ADDITIONAL, CRDCHILD_PROPERTY,
                                             CRDCHILD_END};
    if (!json_object_is_type(schema, json_type_object) || !crdwork_enter(&s->work, field))
        return false;
    bool has_rules = jsonval_length(jsonval_array(schema, CRDSITE_RULES)) > 0;
    is_ruled = is_ruled || has_rules;
    struct crdchild child = crdchild_in(schema, data);
    while (crdchild_next(&child)) {
        cleanup_mem char *inner = crdchild_field(&child, field);
        has_rules = visit(s, child.schema, inner, is_ruled) || has_rules;
    }
    if (is_ruled || has_rules)
        add_bounds(s, schema, field);
    return has_rules;
}

void crdallof_find(struct json_object *definition, struct crdallof *out)
{
    struct search s = {.work = {.left = MAX_STEPS, .text_left = MAX_TEXT_BYTES}, .out = out};
    *out = (struct crdallof){0};
    if (json_object_deep_copy(definition, &out->moved, NULL) != 0)
        return;
    struct json_object *versions = jsonval_array(jsonval_get(out->moved, "spec"), "versions");
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        cleanup_mem char *field = crdversion_field(i);
        visit(&s, crdversion_schema(jsonval_at(versions, i)), field, false);
    }
    out->is_partial = s.work.is_exhausted;
    if (out->count > 0)
        return;
    json_object_put(out->moved);
    out->moved = NULL;
}

void crdallof_deinit(struct crdallof *found)
{
    for (size_t i = 0; i < found->count; i++)
        mem_free(found->items[i].field);
    mem_free(found->items);
    json_object_put(found->moved);
    *found = (struct crdallof){0};
}
