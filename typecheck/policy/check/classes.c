#include "typecheck/policy/check/classes.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/issue_about.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/hint.h"

/* With more nodes or texts, no more classes are made: a part of the memory of a check (typecheck.h). */
enum { NODES_MAX = 20000, IDENTIFIERS_MAX = 500, FIRST_BRANCHES = 16 };
#define BYTES_MAX ((size_t)4 * 1024 * 1024)

/* To look for a class and to note what is read costs up to half of a check. */
enum { RARE_AFTER = 256, RARE_ONE_OF = 8 };

/* ---- the policy ---- */

struct names_list {
    struct arena *arena;
    struct str *list;
    size_t count, cap;
};

/* The first part of a dotted name, once. */
static void add_identifier(struct names_list *l, struct str name)
{
    const char *dot = memchr(name.at, '.', name.len);
    const struct str first = {name.at, dot == NULL ? name.len : (size_t)(dot - name.at)};
    if (l->count > IDENTIFIERS_MAX)
        return;
    arena_pay(l->arena, 1 + l->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < l->count; i++) {
        if (str_eq(l->list[i], first))
            return;
    }
    ARENA_ROOM(l->arena, l->list, l->count, l->cap, 8);
    l->list[l->count++] = first;
}

/* Recurses as deep as the tree is. */
static void add_identifiers(struct names_list *l, const struct node *n)
{
    const struct node *child;
    arena_step(l->arena);
    if (n->kind == NODE_IDENT)
        add_identifier(l, ast_name(n));
    if (n->kind == NODE_STRUCT)
        add_identifier(l, ast_without_dot(n->structure.type_name));
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        add_identifiers(l, child);
}

void classes_init(struct classes *classes, struct arena *a, const struct eval_policy_plan *plan,
                  struct str params_kind)
{
    static const struct str others[] = {STR_INIT("kubernetes"), STR_INIT("google"), STR_INIT("Object"),
                                        STR_INIT("variables")};
    struct names_list l = {.arena = a};
    *classes = (struct classes){.arena = a, .params_kind = params_kind};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_identifier(&l, others[i]);
    for (size_t i = 0; i < plan->expression_count; i++) {
        if (plan->expressions[i].ast != NULL)
            add_identifiers(&l, plan->expressions[i].ast->root);
    }
    classes->identifiers = l.list;
    classes->identifier_count = l.count;
    classes->is_off = l.count > IDENTIFIERS_MAX; /* no kind is looked for among so many */
    ARENA_ROOM(a, classes->nodes, classes->node_count, classes->node_cap, FIRST_BRANCHES);
    classes->node_count = 1;
    classes->branch_cap = FIRST_BRANCHES;
    classes->branches = ARENA_ARRAY(a, classes->branch_cap, struct classes_branch);
}

/* ---- the tree ---- */

static uint32_t hash_of(struct arena *payer, uint32_t from, struct str answer)
{
    arena_pay_hash(payer, answer.len);
    return (str_hash(answer) ^ from * 0x9E3779B9u) * 0x85EBCA6Bu;
}

/* The branch, or the free slot where it belongs. */
static struct classes_branch *find_slot(struct classes *classes, uint32_t from, uint32_t hash,
                                        struct str answer)
{
    uint32_t i = hash & (classes->branch_cap - 1);
    for (; classes->branches[i].to != 0; i = (i + 1) & (classes->branch_cap - 1)) {
        const struct classes_branch *b = &classes->branches[i];
        if (b->from == from && b->hash == hash && str_eq(b->answer, answer))
            break;
    }
    return &classes->branches[i];
}

/* 0: there is none. */
static uint32_t find_branch(struct classes *classes, uint32_t from, struct str answer)
{
    return find_slot(classes, from, hash_of(classes->arena, from, answer), answer)->to;
}

static void make_room(struct classes *classes)
{
    const struct classes_branch *old = classes->branches;
    const uint32_t old_cap = classes->branch_cap;
    if (2 * (classes->branch_count + 1) <= old_cap)
        return;
    struct classes_branch *made = ARENA_ARRAY(classes->arena, 2 * (size_t)old_cap, struct classes_branch);
    classes->branches = made;
    classes->branch_cap = 2 * old_cap;
    for (uint32_t i = 0; i < old_cap; i++) {
        if (old[i].to != 0)
            *find_slot(classes, old[i].from, old[i].hash, old[i].answer) = old[i];
    }
}

static struct str keep_text(struct classes *classes, struct str text)
{
    classes->bytes += text.len;
    return str_copy(classes->arena, text);
}

/* Makes the branch if there is none. */
static uint32_t grow_branch(struct classes *classes, uint32_t from, struct str answer)
{
    make_room(classes);
    const uint32_t hash = hash_of(classes->arena, from, answer);
    struct classes_branch *slot = find_slot(classes, from, hash, answer);
    if (slot->to != 0)
        return slot->to;
    ARENA_ROOM(classes->arena, classes->nodes, classes->node_count, classes->node_cap, FIRST_BRANCHES);
    const uint32_t to = classes->node_count++;
    *slot = (struct classes_branch){from, to, hash, keep_text(classes, answer)};
    classes->branch_count++;
    return to;
}

/* ---- what is asked of each type ---- */

/* Returns true if the name of the kind may mean something in an expression. */
static bool may_be_named(const struct classes *classes, struct str kind)
{
    bool may_be = memchr(kind.at, '.', kind.len) != NULL || str_eq(kind, classes->params_kind);
    arena_pay(classes->arena, classes->identifier_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < classes->identifier_count; i++)
        may_be = may_be || str_eq(kind, classes->identifiers[i]);
    return may_be;
}

/* Adds for each request the first one with the same resource; false if one is of another group or version
 * than the kind. */
static bool add_requests(struct text *t, const struct policy_type *kind)
{
    text_add_packed(t, kind->request_count);
    for (size_t i = 0; i < kind->request_count; i++) {
        const struct policy_request *q = &kind->requests[i];
        size_t same = 0;
        arena_pay(t->arena, 1 + i / ARENA_LOOKS_PER_STEP);
        while (!str_eq(kind->requests[same].resource, q->resource))
            same++;
        if (!str_eq(q->group, kind->group) || !str_eq(q->version, kind->version))
            return false;
        text_add_packed(t, same);
        text_add_packed(t, q->operations * 4 + q->is_namespaced * 2 + q->has_status);
        text_add_packed(t, q->subresource.len);
        text_add(t, q->subresource);
    }
    return true;
}

/* Writes all that is known of a type without a question. Returns false if such types have no classes. */
static bool describe(const struct classes *classes, struct reads *reads, const struct activation_subject *s,
                     struct text *out)
{
    if (classes->is_off || !s->is_custom || s->is_built_in || s->is_mutating ||
        s->type->kind != TYPE_OBJECT || may_be_named(classes, s->kind->kind))
        return false;
    text_add(out, reads_root(reads, s->type));
    if (s->valid_type != NULL)
        text_add(out, reads_root(reads, s->valid_type));
    text_add_packed(out, s->validated);
    text_add_packed(out, (uint64_t)s->form * 8 + s->old_form);
    return add_requests(out, s->kind);
}

static struct hint_change find_hint(struct types *ts, const struct reads *reads,
                                    const struct reads_question *q, bool *is_of_pods)
{
    struct absmap map = *q->map;
    map.type = reads->objects[q->of];
    return hint_change_find(ts, &(struct hint){.map = &map, .field = q->name}, is_of_pods);
}

static struct str ask_hint(struct types *ts, struct reads *reads, const struct reads_question *q)
{
    bool is_of_pods;
    const struct hint_change change = find_hint(ts, reads, q, &is_of_pods);
    return reads_hint_answer(reads, &change, is_of_pods);
}

static const struct classes_class *walk(struct classes *classes, uint32_t node, struct types *ts,
                                        struct reads *reads)
{
    while (node != 0 && classes->nodes[node].has_question) {
        const struct reads_question *q = &classes->nodes[node].question;
        arena_step(classes->arena);
        const struct str answer = q->sort == READS_HINT ? ask_hint(ts, reads, q) : reads_answer(reads, ts, q);
        node = find_branch(classes, node, answer);
    }
    return node == 0 ? NULL : classes->nodes[node].found;
}

const struct classes_class *classes_find(struct classes *classes, struct types *ts, struct reads *reads,
                                         const struct activation_subject *subject, uint32_t *start)
{
    struct text head = {.arena = types_scratch(ts)};
    *start = 0;
    if (!describe(classes, reads, subject, &head)) {
        reads->is_lost = true;
        return NULL;
    }
    *start = grow_branch(classes, 0, text_str(&head));
    reads_pause(reads);
    const struct classes_class *found = walk(classes, *start, ts, reads);
    reads_resume(reads);
    classes->found += found != NULL;
    classes->not_found += found == NULL;
    return found;
}

bool classes_are_rare(const struct classes *classes)
{
    return classes->not_found >= RARE_AFTER && classes->found < classes->not_found / RARE_ONE_OF;
}

void classes_add_claims(const struct classes_class *c, struct types *ts, struct reads *reads,
                        struct claims *claims)
{
    bool is_of_pods;
    reads_pause(reads);
    for (size_t i = 0; i < c->claim_count; i++) {
        const struct classes_claim *claim = &c->claims[i];
        if (!claims_wants_note(claims, claim->expression, claim->node))
            continue;
        const struct hint_change change = find_hint(ts, reads, &claim->question, &is_of_pods);
        if (!hint_change_is_near(&change))
            claims_add_note(claims, claim->expression, claim->node);
    }
    reads_resume(reads);
}

/* ---- what is kept ---- */

static const struct absmap *keep_map(struct classes *classes, const struct absmap *map)
{
    struct absmap *kept = ARENA_NEW(classes->arena, struct absmap);
    struct absfield *fields = ARENA_ARRAY(classes->arena, map->field_count, struct absfield);
    *kept = (struct absmap){.fields = fields, .field_count = map->field_count};
    for (size_t i = 0; i < map->field_count; i++) {
        arena_step(classes->arena);
        fields[i] = (struct absfield){.name = keep_text(classes, map->fields[i].name),
                                      .presence = map->fields[i].presence};
    }
    classes->bytes += sizeof *kept + map->field_count * sizeof *fields;
    return kept;
}

static bool is_same_question(const struct reads_question *one, const struct reads_question *two)
{
    return one->sort == two->sort && one->of == two->of && one->index == two->index &&
           str_eq(one->name, two->name) && (one->map == NULL) == (two->map == NULL);
}

/* Returns false if the node has another one, because of a claim that another type settled. */
static bool set_question(struct classes *classes, uint32_t node, const struct reads_question *q)
{
    struct classes_node *n = &classes->nodes[node];
    if (n->has_question)
        return is_same_question(&n->question, q);
    if (n->found != NULL)
        return false;
    n->question = *q;
    n->question.name = keep_text(classes, q->name);
    n->question.map = q->map == NULL ? NULL : keep_map(classes, q->map);
    n->has_question = true;
    return true;
}

const struct classes_block *classes_copy_blocks(struct arena *a, const struct classes_block *blocks,
                                                size_t count)
{
    struct classes_block *copy = ARENA_ARRAY(a, count, struct classes_block);
    for (size_t i = 0; i < count; i++)
        copy[i] = (struct classes_block){blocks[i].expression, report_keep_block(a, &blocks[i].block)};
    return copy;
}

static const struct classes_block *keep_blocks(struct classes *classes, const struct classes_block *blocks,
                                               size_t count)
{
    for (size_t i = 0; i < count; i++)
        classes->bytes += report_block_bytes(&blocks[i].block);
    return classes_copy_blocks(classes->arena, blocks, count);
}

/* Keeps the open claims of the class, but those about params, which are the same for each type. */
static void keep_claims(struct classes *classes, struct classes_class *made, const struct reads *reads,
                        const struct claims *claims)
{
    struct classes_claim *kept = ARENA_ARRAY(classes->arena, claims->open_count, struct classes_claim);
    for (size_t i = 0; i < claims->open_count; i++) {
        const struct claims_open *open = &claims->open[i];
        const uint32_t of = reads_number(reads, open->hint.map->type);
        if (of == READS_OBJECTS_MAX)
            continue;
        kept[made->claim_count++] = (struct classes_claim){open->expression,
                                                           open->node,
                                                           {.sort = READS_HINT,
                                                            .of = of,
                                                            .name = keep_text(classes, open->hint.field),
                                                            .map = keep_map(classes, open->hint.map)}};
    }
    made->claims = kept;
}

struct classes_class *classes_keep(struct classes *classes, uint32_t start, const struct reads *reads,
                                   const struct claims *claims, const struct classes_block *blocks,
                                   size_t count)
{
    uint32_t node = start;
    if (start == 0 || reads->is_lost || classes->bytes > BYTES_MAX || classes->node_count > NODES_MAX)
        return NULL;
    for (size_t i = 0; i < reads->count; i++) {
        if (!set_question(classes, node, &reads->list[i].question))
            return NULL;
        node = grow_branch(classes, node, reads->list[i].answer);
    }
    if (classes->nodes[node].has_question || classes->nodes[node].found != NULL)
        return NULL;
    struct classes_class *made = ARENA_NEW(classes->arena, struct classes_class);
    *made = (struct classes_class){.blocks = keep_blocks(classes, blocks, count), .count = count};
    keep_claims(classes, made, reads, claims);
    classes->nodes[node].found = made;
    return made;
}
