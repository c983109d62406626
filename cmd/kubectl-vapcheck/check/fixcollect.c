#include "cmd/kubectl-vapcheck/check/fixcollect.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/output/found.h"

enum { KEY_CAP_BYTES = 16 * 1024 * 1024 };

static bool is_fault(const struct found_item *item)
{
    return item->severity == FINDING_ERROR || item->severity == FINDING_WARNING;
}

static void count(struct fixcollect *all, const struct output_place *place, const struct found_item *item)
{
    cleanup_mem char *key =
        mem_printf("%s\n%zu\n%d\n%s", place->file, place->document, (int)item->id, item->field);
    struct fixcollect_count *c = keymap_get(&all->counts, key);
    if (c == NULL) {
        c = mem_zalloc(sizeof *c);
        c->file = mem_strdup(place->file);
        c->document = place->document;
        c->field = mem_strdup(item->field);
        keymap_put(&all->counts, key, c);
    }
    c->is_fault = c->is_fault || is_fault(item);
    c->count++;
    all->n_findings += is_fault(item) || (all->is_unsafe && item->severity == FINDING_ADVICE);
}

/* The caller frees it. */
static char *object_key(const char *file, size_t document)
{
    return mem_printf("%s\n%zu", file, document);
}

/* The expression behind an anchor is that of several objects. */
static bool is_known(struct fixcollect *all, const struct output_place *place, const struct output_fix *fix)
{
    struct buf key;
    buf_init(&key, KEY_CAP_BYTES);
    buf_puts(&key, place->file);
    for (size_t i = 0; i < fix->n_edits; i++) {
        const struct yaml_edit *e = &fix->edits[i];
        buf_printf(&key, "\n%u:%u-%u:%u %s", e->at.line, e->at.column, e->end.line, e->end.column, e->text);
    }
    const bool is_known = !keymap_add(&all->known, key.data);
    buf_deinit(&key);
    return is_known;
}

static void add_fix(struct fixcollect *all, const struct output_place *place, const struct output_fix *given)
{
    all->fixes = mem_grow(all->fixes, all->n_fixes, sizeof *all->fixes);
    struct fixcollect_fix *fix = &all->fixes[all->n_fixes++];
    *fix = (struct fixcollect_fix){.file = mem_strdup(place->file),
                                   .document = place->document,
                                   .field = mem_strdup(given->field),
                                   .edits = mem_array(given->n_edits, sizeof *fix->edits),
                                   .n_edits = given->n_edits};
    for (size_t i = 0; i < given->n_edits; i++) {
        fix->edits[i] = given->edits[i];
        fix->edits[i].text = mem_strdup(given->edits[i].text);
        fix->edits[i].old = mem_strdup(given->edits[i].old);
    }
}

/* The corrections of advice that is reported. */
static void add_advised(struct fixcollect *all, const struct output_place *place,
                        const struct output_finding *f)
{
    for (size_t i = 0; i < f->found->count; i++) {
        const struct output_fix *fix = found_advised(f, &f->found->items[i]);
        if (fix != NULL && !is_known(all, place, fix))
            add_fix(all, place, fix);
    }
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct fixcollect *all = user;
    const size_t before = all->n_fixes;
    cleanup_mem char *object = object_key(place->file, place->document);
    if (f->found->has_refusals)
        (void)keymap_add(&all->refused, object);
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        count(all, place, item);
        if (item->fix != NULL && !is_known(all, place, item->fix))
            add_fix(all, place, item->fix);
    }
    if (all->is_unsafe && all->n_fixes == before) /* mistakes come first */
        add_advised(all, place, f);
}

struct output fixcollect_output(struct fixcollect *all)
{
    return (struct output){.finding = on_finding, .user = all};
}

static void free_count(void *given)
{
    struct fixcollect_count *c = given;
    mem_free(c->file);
    mem_free(c->field);
    mem_free(c);
}

void fixcollect_deinit(struct fixcollect *all)
{
    for (size_t i = 0; i < all->n_fixes; i++) {
        struct fixcollect_fix *fix = &all->fixes[i];
        for (size_t k = 0; k < fix->n_edits; k++)
            yaml_edit_deinit(&fix->edits[k]);
        mem_free(fix->edits);
        mem_free(fix->file);
        mem_free(fix->field);
    }
    mem_free(all->fixes);
    keymap_deinit(&all->counts, free_count);
    keymap_deinit(&all->known, NULL);
    keymap_deinit(&all->refused, NULL);
    *all = (struct fixcollect){0};
}

/* ---- files that became worse ---- */

struct comparison {
    struct fixcollect *before;
    bool is_worse;
};

static void drop(struct fixcollect *all, const struct fixcollect_count *worse)
{
    bool is_found = false;
    for (size_t i = 0; i < all->n_fixes; i++) {
        struct fixcollect_fix *fix = &all->fixes[i];
        if (fix->document != worse->document || strcmp(fix->file, worse->file) != 0)
            continue;
        is_found = is_found || !fix->was_dropped;
        fix->is_dropped = true;
    }
    for (size_t i = 0; i < all->n_fixes && !is_found; i++)
        all->fixes[i].is_dropped = true;
}

/* Returns true if the object or the expression had an error before, which hides notes and advice. */
static bool was_hidden(const struct fixcollect *before, const struct fixcollect_count *now)
{
    cleanup_mem char *object = object_key(now->file, now->document);
    bool is_hidden = keymap_key(&before->refused, object) != NULL;
    for (size_t i = 0; i < before->n_fixes && !is_hidden; i++) {
        const struct fixcollect_fix *fix = &before->fixes[i];
        is_hidden = !fix->is_dropped && fix->document == now->document && strcmp(fix->file, now->file) == 0 &&
                    strcmp(fix->field, now->field) == 0;
    }
    return is_hidden;
}

static void compare(void *user, const char *key, void *value)
{
    struct comparison *c = user;
    const struct fixcollect_count *now = value, *then = keymap_get(&c->before->counts, key);
    if (now->count <= (then == NULL ? 0 : then->count) || (!now->is_fault && was_hidden(c->before, now)))
        return;
    c->is_worse = true;
    drop(c->before, now);
}

bool fixcollect_drop_worse(struct fixcollect *before, const struct fixcollect *after)
{
    struct comparison c = {.before = before};
    for (size_t i = 0; i < before->n_fixes; i++)
        before->fixes[i].was_dropped = before->fixes[i].is_dropped;
    keymap_each(&after->counts, compare, &c);
    return c.is_worse;
}
