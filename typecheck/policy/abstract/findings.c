#include "typecheck/policy/abstract/findings.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/bounds.h"

/* The answer to the question "is this site reported?". */
enum answer {
    ANSWER_NONE,  /* not asked yet */
    ANSWER_ASKED, /* it waits for the answer of what it is behind */
    ANSWER_YES,
    ANSWER_NO,
};

/* The ways in which a site fails with the same message. */
struct site_group {
    struct site_group *next;
    struct site_finding finding;
    bool *ways;
    bool is_echo; /* "x is null here", each time past a failure that says as much */
};

/* A site that failed in some way. */
struct site_failed {
    size_t way;                /* 1 + the last way in which it failed; of that one are: */
    bool is_free;              /* some failure of it is behind no other */
    const struct site *behind; /* else what the first failure is behind */
    const struct site_note *first;
    enum answer is_reported;
    struct site_group *groups; /* what is reported of it, in the order of the ways */
};

/* The facts about a node: by itself, and as an operand. */
struct site_node {
    struct site_failed *failed[2];  /* how it failed; NULL if it did not */
    size_t passed[2];               /* 1 + the last way in which it passed; 0: it did not */
    size_t taken[2];                /* by findings_take: its number, and which sorts of note it has */
    const struct site_claim *claim; /* the first; NULL: none */
    uint8_t claimed;                /* enum site_claimed */
    bool is_given;                  /* it tests for a field that the API server sets */
};

void findings_init(struct findings *f, struct arena *a, const struct policy_tree *expressions, size_t count,
                   size_t ways)
{
    *f = (struct findings){.arena = a,
                           .expressions = expressions,
                           .nodes = ARENA_ARRAY(a, count, struct site_node *),
                           .has_failed = ARENA_ARRAY(a, count, bool),
                           .way_count = ways};
    for (size_t i = 0; i < count; i++) {
        if (expressions[i].ast != NULL)
            f->nodes[i] = ARENA_ARRAY(a, (size_t)expressions[i].ast->max_id + 1, struct site_node);
    }
}

void findings_begin_way(struct findings *f, size_t way)
{
    f->way = way;
    f->count = 0;
}

static struct site_node *find(const struct findings *f, const struct site *site)
{
    return &f->nodes[site->expression][site->node->id];
}

void findings_pass(struct findings *f, struct site site)
{
    find(f, &site)->passed[site.is_operand] = f->way + 1;
}

static bool passes(const struct findings *f, const struct site_node *node, bool is_operand)
{
    return node->passed[is_operand] == f->way + 1;
}

/* Returns NULL if it did not fail in the way at hand. */
static struct site_failed *failure_of(const struct findings *f, const struct site_node *node, bool is_operand)
{
    struct site_failed *failed = node->failed[is_operand];
    return failed != NULL && failed->way == f->way + 1 ? failed : NULL;
}

static void add_note(struct findings *f, struct site_note note)
{
    if (f->count == f->cap) {
        size_t cap = 2 * f->cap + 16;
        f->notes = arena_grow(f->arena, f->notes, f->cap, cap, sizeof *f->notes);
        f->cap = cap;
    }
    f->notes[f->count++] = note;
}

size_t findings_mark(const struct findings *f)
{
    return f->count;
}

const struct site *findings_failed(const struct findings *f, size_t mark)
{
    for (size_t i = mark; i < f->count; i++) {
        arena_step(f->arena);
        if (f->notes[i].failure.is_unequal)
            continue;
        struct site *failed = ARENA_NEW(f->arena, struct site);
        *failed = f->notes[i].site;
        return failed;
    }
    return NULL;
}

void findings_absorb(struct findings *f, size_t mark)
{
    size_t kept = mark;
    arena_pay(f->arena, (f->count - mark) / ARENA_LOOKS_PER_STEP);
    for (size_t i = mark; i < f->count; i++) {
        if (f->notes[i].failure.is_unequal)
            f->notes[kept++] = f->notes[i];
    }
    f->count = kept;
}

void findings_drop(struct findings *f, size_t mark)
{
    f->count = mark;
}

enum { SORTS_OF_NOTE = 4 };

/* Returns true if this is the first note of its sort at the site: only that one counts. */
static bool is_first_note(struct findings *f, const struct site_note *note)
{
    size_t *taken = &find(f, &note->site)->taken[note->site.is_operand];
    size_t sort = (size_t)1 << (2 * note->failure.is_unequal + (note->behind == NULL));
    if (*taken >> SORTS_OF_NOTE != f->takes)
        *taken = f->takes << SORTS_OF_NOTE;
    bool is_first = (*taken & sort) == 0;
    *taken |= sort;
    return is_first;
}

struct site_note *findings_take(struct findings *f, struct arena *a, size_t mark, size_t *count)
{
    struct site_note *taken = ARENA_ARRAY(a, f->count - mark, struct site_note);
    arena_pay(f->arena, (f->count - mark) / ARENA_LOOKS_PER_STEP);
    *count = 0;
    f->takes++;
    for (size_t i = mark; i < f->count; i++) {
        if (is_first_note(f, &f->notes[i]))
            taken[(*count)++] = f->notes[i];
    }
    f->count = mark;
    return taken;
}

void findings_add(struct findings *f, const struct site *behind, const struct site_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct site_note note = notes[i];
        note.behind = note.behind == NULL ? behind : note.behind;
        add_note(f, note);
    }
}

/* Copies one sort of a map, which lies in memory that will be freed. */
static struct absmap *keep_sort(struct findings *f, const struct absmap *sort)
{
    struct absmap *map = ARENA_NEW(f->arena, struct absmap);
    struct absfield *fields = ARENA_ARRAY(f->arena, sort->field_count, struct absfield);
    *map = (struct absmap){.type = sort->type, .fields = fields, .field_count = sort->field_count};
    for (size_t i = 0; i < map->field_count; i++) {
        arena_step(f->arena);
        fields[i] = (struct absfield){.name = str_copy(f->arena, sort->fields[i].name),
                                      .presence = sort->fields[i].presence};
    }
    return map;
}

/* Copies the hint, whose map lies in memory that will be freed. If the map has many sorts, it is not known
 * what was meant. */
static struct hint keep_hint(struct findings *f, struct hint hint)
{
    const struct absmap *sort = hint.map;
    struct absmap *last = NULL;
    size_t count = 0;
    if (hint.value.at != NULL) {
        hint.value = str_copy(f->arena, hint.value);
        hint.field = str_copy(f->arena, hint.field);
    }
    for (; sort != NULL && count < BOUNDS_SORTS; sort = sort->next, count++) {
        struct absmap *kept = keep_sort(f, sort);
        if (last == NULL)
            hint.map = kept;
        else
            last->next = kept;
        last = kept;
    }
    if (sort != NULL)
        hint.map = NULL;
    if (hint.map != NULL)
        hint.field = str_copy(f->arena, hint.field);
    return hint;
}

/* The group of the site that already has the message; NULL if there is none. */
static struct site_group *find_group(const struct findings *f, const struct site_node *node, bool is_operand,
                                     const struct failure *failure)
{
    const struct str message = failure->message;
    const struct site_failed *failed = node->failed[is_operand];
    for (struct site_group *g = failed == NULL ? NULL : failed->groups; g != NULL; g = g->next) {
        arena_pay_bytes(f->arena, message.len);
        if (g->finding.is_here == failure->is_here && str_eq(g->finding.message, message))
            return g;
    }
    return NULL;
}

void findings_fail(struct findings *f, struct site site, const struct site *behind,
                   const struct failure *failure)
{
    const struct site_node *node = find(f, &site);
    if (passes(f, node, site.is_operand))
        return;
    struct site_note note = {.site = site, .failure = *failure, .behind = behind};
    const struct site_group *known = find_group(f, node, site.is_operand, failure);
    note.failure.message = known != NULL ? known->finding.message : str_copy(f->arena, failure->message);
    note.failure.hint = known != NULL ? known->finding.hint : keep_hint(f, failure->hint);
    note.failure.about = known != NULL ? known->finding.about : issue_about_copy(f->arena, failure->about);
    add_note(f, note);
}

void findings_claim(struct findings *f, struct site site, const struct failure *claim, bool is_sure)
{
    struct site_node *node = find(f, &site);
    if (claim == NULL) {
        node->claimed |= SITE_PLAIN;
        return;
    }
    node->claimed |= SITE_CLAIMED | (is_sure ? SITE_SURE : 0);
    if (node->claim != NULL || (node->claimed & SITE_PLAIN) != 0)
        return;
    struct site_claim *kept = ARENA_NEW(f->arena, struct site_claim);
    *kept = (struct site_claim){site, *claim};
    kept->failure.message = str_copy(f->arena, claim->message);
    kept->failure.hint = keep_hint(f, claim->hint);
    kept->failure.about = NULL; /* there can be thousands of claims: the span of one has its name */
    node->claim = kept;
}

void findings_value(struct findings *f, struct site site, bool truth)
{
    find(f, &site)->claimed |= truth ? SITE_TRUE : SITE_FALSE;
}

void findings_given(struct findings *f, struct site site)
{
    find(f, &site)->is_given = true;
}

bool findings_is_given(const struct findings *f, size_t expression, uint32_t node)
{
    return f->nodes[expression][node].is_given;
}

unsigned findings_claimed(const struct findings *f, size_t expression, uint32_t node)
{
    return f->nodes[expression][node].claimed;
}

const struct site_claim *findings_claim_of(const struct findings *f, size_t expression, uint32_t node)
{
    return f->nodes[expression][node].claim;
}

/* The answer of the site itself; ANSWER_ASKED: that of the site before it decides. */
static enum answer own_answer(const struct findings *f, const struct site_node *node, bool is_operand)
{
    const struct site_failed *failed = failure_of(f, node, is_operand);
    if (failed == NULL || passes(f, node, is_operand))
        return ANSWER_NO;
    if (failed->is_reported != ANSWER_NONE)
        return failed->is_reported == ANSWER_ASKED ? ANSWER_NO : failed->is_reported; /* behind itself */
    return failed->is_free ? ANSWER_YES : ANSWER_ASKED;
}

/*
 * A site that evaluation reaches only past a failure is reported with that one,
 * or not at all. The answer is the same for all on the way there.
 */
static bool is_reported(const struct findings *f, const struct site_node *node, bool is_operand)
{
    struct site_failed *first = failure_of(f, node, is_operand);
    enum answer answer;
    while ((answer = own_answer(f, node, is_operand)) == ANSWER_ASKED) {
        arena_step(f->arena);
        struct site_failed *failed = failure_of(f, node, is_operand);
        failed->is_reported = ANSWER_ASKED;
        node = find(f, failed->behind);
        is_operand = failed->behind->is_operand;
    }
    for (struct site_failed *failed = first; failed != NULL && failed->is_reported == ANSWER_ASKED;) {
        const struct site *behind = failed->behind;
        failed->is_reported = answer;
        failed = failure_of(f, find(f, behind), behind->is_operand);
    }
    return answer == ANSWER_YES;
}

/* Notes in the site what became of it in the way at hand. */
static void settle_note(struct findings *f, const struct site_note *note)
{
    struct site_failed **failed = &find(f, &note->site)->failed[note->site.is_operand];
    f->has_failed[note->site.expression] = true;
    if (*failed == NULL)
        *failed = ARENA_NEW(f->arena, struct site_failed);
    if ((*failed)->way != f->way + 1) {
        struct site_group *groups = (*failed)->groups;
        **failed =
            (struct site_failed){.way = f->way + 1, .behind = note->behind, .first = note, .groups = groups};
    }
    (*failed)->is_free = (*failed)->is_free || note->behind == NULL;
}

/* Returns true if what is missing here was missing before. */
static bool is_echo(const struct findings *f, const struct site_failed *failed)
{
    if (failed->is_free || !failed->first->failure.is_here)
        return false;
    const struct site *behind = failed->behind;
    const struct site_failed *before = failure_of(f, find(f, behind), behind->is_operand);
    return before != NULL && before->first->failure.is_here;
}

struct extent findings_span(const struct findings *f, const struct site *site)
{
    const struct str text = f->expressions[site->expression].ast->text;
    return site->offset == site->node->offset ? extent_of_place(f->arena, text, site->node)
                                              : extent_of_operator(f->arena, text, site->offset);
}

static void report(struct findings *f, struct site_node *node, const struct site_note *note)
{
    const struct site *site = &note->site;
    struct site_failed *failed = node->failed[site->is_operand];
    struct site_group *group = find_group(f, node, site->is_operand, &note->failure);
    if (group == NULL) {
        struct site_group **end = &failed->groups;
        bool is_of_operand = site->is_operand && site->offset == site->node->offset;
        while (*end != NULL)
            end = &(*end)->next;
        *end = group = ARENA_NEW(f->arena, struct site_group);
        group->is_echo = true;
        group->ways = ARENA_ARRAY(f->arena, f->way_count, bool);
        group->finding = (struct site_finding){.span = findings_span(f, site),
                                               .code = note->failure.code,
                                               .is_of_operand = is_of_operand,
                                               .is_here = note->failure.is_here,
                                               .is_unequal = true,
                                               .node = site->node->id,
                                               .is_operand = site->is_operand,
                                               .first_way = f->way,
                                               .is_behind = true,
                                               .message = note->failure.message,
                                               .hint = note->failure.hint,
                                               .about = note->failure.about};
    }
    group->ways[f->way] = true;
    group->finding.is_unequal = group->finding.is_unequal && note->failure.is_unequal;
    group->finding.is_behind = group->finding.is_behind && !failed->is_free;
    group->is_echo = group->is_echo && is_echo(f, failed);
}

void findings_settle(struct findings *f)
{
    arena_pay(f->arena, 2 * f->count);
    for (size_t i = 0; i < f->count; i++)
        settle_note(f, &f->notes[i]);
    for (size_t i = 0; i < f->count; i++) {
        const struct site *site = &f->notes[i].site;
        struct site_node *node = find(f, site);
        const struct site_failed *failed = failure_of(f, node, site->is_operand);
        if (failed != NULL && failed->first == &f->notes[i] && is_reported(f, node, site->is_operand))
            report(f, node, &f->notes[i]);
    }
    f->count = 0;
}

/* The group that speaks for the site: a message that is not only of some requests, if there is one. */
static const struct site_group *choose(const struct site_group *groups)
{
    const struct site_group *chosen = groups;
    for (const struct site_group *g = groups; g != NULL && chosen->finding.is_here; g = g->next)
        chosen = g->finding.is_here ? chosen : g;
    return chosen;
}

/* The ways in which the message of `chosen` about the site is true; NULL if it is true in all of them. */
static const bool *ways_of(const struct findings *f, const struct site_group *groups,
                           const struct site_group *chosen, bool passes)
{
    bool is_of_some = chosen->finding.is_here, is_all = true;
    if (!is_of_some && !passes)
        return NULL;
    bool *ways = ARENA_ARRAY(f->arena, f->way_count, bool);
    for (const struct site_group *g = groups; g != NULL; g = g->next) {
        arena_pay(f->arena, f->way_count / ARENA_LOOKS_PER_STEP);
        for (size_t i = 0; i < f->way_count; i++)
            ways[i] = ways[i] || (g->ways[i] && (g == chosen || !is_of_some));
    }
    for (size_t i = 0; i < f->way_count; i++)
        is_all = is_all && ways[i];
    return is_all ? NULL : ways;
}

struct listed {
    struct arena *arena;
    struct site_finding *list;
    size_t count, cap;
};

static void list_group(const struct findings *f, const struct site_node *node, bool is_operand,
                       const struct site_group *group, struct listed *out)
{
    const bool *ways = ways_of(f, node->failed[is_operand]->groups, group, node->passed[is_operand] != 0);
    if (ways != NULL && group->is_echo)
        return;
    if (out->count == out->cap) {
        out->list = arena_grow(out->arena, out->list, out->cap, 2 * out->cap + 4, sizeof *out->list);
        out->cap = 2 * out->cap + 4;
    }
    out->list[out->count] = group->finding;
    out->list[out->count++].ways = ways;
}

/*
 * Lists the messages of a site that are reported. If each message is true of some requests only, all are
 * listed: "object is null on DELETE" says nothing about CREATE.
 */
static void list_site(const struct findings *f, const struct site_node *node, bool is_operand,
                      struct listed *out)
{
    if (node->failed[is_operand] == NULL || node->failed[is_operand]->groups == NULL)
        return;
    const struct site_group *groups = node->failed[is_operand]->groups, *chosen = choose(groups);
    const size_t first = out->count;
    if (!chosen->finding.is_here) {
        list_group(f, node, is_operand, chosen, out);
        return;
    }
    for (const struct site_group *g = groups; g != NULL; g = g->next) {
        list_group(f, node, is_operand, g, out);
        if (out->count > first)
            out->list[out->count - 1].is_further = out->count - 1 > first;
    }
}

const struct site_finding *findings_list(const struct findings *f, struct arena *a, size_t expression,
                                         const struct ast *ast, size_t *count)
{
    const struct site_node *nodes = f->nodes[expression];
    struct listed out = {.arena = a};
    arena_pay(f->arena, ast->max_id / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; f->has_failed[expression] && i < 2 * ((size_t)ast->max_id + 1); i++)
        list_site(f, &nodes[i / 2], i % 2, &out);
    *count = out.count;
    return out.list;
}
