#include "typecheck/cel/regexp/tree.h"

#include "typecheck/base/arena.h"

enum { FIRST_TERMS = 16, FIRST_GROUPS = 4 };

struct regexp_group {
    size_t first_term;
    struct regexp_node *alternatives; /* before the newest "|"; NULL: there is none */
};

static struct regexp_node *new_node(struct regexp_tree *t, enum regexp_op op)
{
    arena_step(t->arena);
    struct regexp_node *n = ARENA_NEW(t->arena, struct regexp_node);
    n->op = op;
    return n;
}

static void push(struct regexp_tree *t, struct regexp_node *n)
{
    if (t->term_count == t->term_cap)
        t->terms = arena_room(t->arena, t->terms, &t->term_cap, FIRST_TERMS, sizeof(struct regexp_node *));
    t->terms[t->term_count++] = n;
}

void regexp_tree_init(struct regexp_tree *t, struct arena *a, enum unicode_edition edition)
{
    *t = (struct regexp_tree){.arena = a, .edition = edition};
    regexp_tree_open(t);
}

void regexp_tree_rune(struct regexp_tree *t, int32_t rune, bool fold)
{
    if (fold && unicode_simple_fold(rune, t->edition) != rune) {
        struct regexp_class set = {.arena = t->arena, .edition = t->edition};
        for (int32_t c = unicode_simple_fold(rune, t->edition); c != rune;
             c = unicode_simple_fold(c, t->edition))
            regexp_class_add(&set, c, c);
        regexp_class_add(&set, rune, rune);
        regexp_class_normalise(&set);
        regexp_tree_class(t, &set);
        return;
    }
    struct regexp_node *n = new_node(t, REGEXP_RUNE);
    n->rune = rune;
    push(t, n);
}

void regexp_tree_class(struct regexp_tree *t, const struct regexp_class *set)
{
    struct regexp_node *n = new_node(t, REGEXP_CLASS);
    n->set = *set;
    push(t, n);
}

void regexp_tree_assertion(struct regexp_tree *t, enum regexp_assertion assertion)
{
    struct regexp_node *n = new_node(t, REGEXP_ASSERTION);
    n->assertion = assertion;
    n->is_nullable = true;
    push(t, n);
}

void regexp_tree_repeat(struct regexp_tree *t, int min, int max, bool is_lazy)
{
    struct regexp_node *n = new_node(t, REGEXP_REPEAT), **newest = &t->terms[t->term_count - 1];
    n->min = min;
    n->max = max;
    n->is_lazy = is_lazy;
    n->is_nullable = min == 0 || (*newest)->is_nullable;
    n->first = n->last = *newest;
    *newest = n;
}

/* Appends a part, or the parts of one of the same kind. */
static void append(struct regexp_node *whole, struct regexp_node *part)
{
    bool is_same = part->op == whole->op;
    struct regexp_node *first = is_same ? part->first : part, *last = is_same ? part->last : part;
    if (whole->last == NULL)
        whole->first = first;
    else
        whole->last->next = first;
    whole->last = last;
}

/* The terms of the newest group, behind its newest "|", become one. */
static struct regexp_node *concatenate(struct regexp_tree *t)
{
    size_t first = t->groups[t->group_count - 1].first_term, count = t->term_count - first;
    struct regexp_node **terms = t->terms + first;
    t->term_count = first;
    if (count == 1)
        return terms[0];
    struct regexp_node *n = new_node(t, count == 0 ? REGEXP_EMPTY : REGEXP_CONCAT);
    n->is_nullable = true;
    for (size_t i = 0; i < count; i++) {
        n->is_nullable = n->is_nullable && terms[i]->is_nullable;
        append(n, terms[i]);
    }
    return n;
}

static void add_alternative(struct regexp_tree *t, struct regexp_group *group, struct regexp_node *n)
{
    if (group->alternatives == NULL)
        group->alternatives = new_node(t, REGEXP_ALTERNATE);
    group->alternatives->is_nullable = group->alternatives->is_nullable || n->is_nullable;
    append(group->alternatives, n);
}

void regexp_tree_open(struct regexp_tree *t)
{
    ARENA_ROOM(t->arena, t->groups, t->group_count, t->group_cap, FIRST_GROUPS);
    t->groups[t->group_count++] = (struct regexp_group){.first_term = t->term_count};
}

void regexp_tree_bar(struct regexp_tree *t)
{
    add_alternative(t, &t->groups[t->group_count - 1], concatenate(t));
}

static struct regexp_node *end_group(struct regexp_tree *t)
{
    struct regexp_group *group = &t->groups[t->group_count - 1];
    struct regexp_node *n = concatenate(t);
    if (group->alternatives != NULL) {
        add_alternative(t, group, n);
        n = group->alternatives;
    }
    t->group_count--;
    return n;
}

void regexp_tree_close(struct regexp_tree *t)
{
    push(t, end_group(t));
}

struct regexp_node *regexp_tree_finish(struct regexp_tree *t)
{
    return end_group(t);
}
