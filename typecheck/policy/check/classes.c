#include "typecheck/policy/check/classes.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/issue_about.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/hint.h"

/* With more nodes or texts, no more classes are made: a part of the memory of a check (typecheck.h). */
enum { NODES_MAX = 20000, IDENTIFIERS_MAX = 500, FIRST_BRANCHES = 16 };
#define BYTES_MAX ((size_t)4 * 1024 * 1024)

/* To look for a class and to note what is read costs up to half of a check. */
enum { RARE_AFTER = 256, RARE_ONE_OF = 8 };

/* About the steps that an answer takes, and those that it takes to derive a type. */
enum { ANSWER_STEPS = 6, TYPE_STEPS = 30 };

/* ---- the policy ---- */

struct hashes {
    struct arena *arena;
    uint32_t *list;
    size_t count, cap;
};

/* Adds the hash of the first part of a dotted name, once. */
static void add_identifier(struct hashes *l, struct str name)
{
    const uint32_t hash = answers_first_hash(name);
    if (l->count > IDENTIFIERS_MAX)
        return;
    arena_pay(l->arena, 1 + l->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i] == hash)
            return;
    }
    ARENA_ROOM(l->arena, l->list, l->count, l->cap, 8);
    l->list[l->count++] = hash;
}

/* Recurses as deep as the tree is. */
static void add_identifiers(struct hashes *l, const struct node *n)
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
                  const struct typecheck_policy *policy)
{
    static const struct str others[] = {STR_INIT(""), STR_INIT("kubernetes"), STR_INIT("google"),
                                        STR_INIT("Object"), STR_INIT("variables")};
    struct hashes l = {.arena = a};
    *classes = (struct classes){
        .arena = a, .answers = policy->answers, .mentions = ARENA_ARRAY(a, READS_OBJECTS_MAX, uint32_t)};
    if (policy->answers != NULL) {
        answers_begin(policy->answers, policy);
        classes->era = answers_era(policy->answers);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_identifier(&l, others[i]);
    if (policy->policy.has_params)
        add_identifier(&l, policy->params.kind);
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

static uint32_t hash_of(uint32_t from, uint32_t hash)
{
    return (hash ^ from * 0x9E3779B9u) * 0x85EBCA6Bu;
}

static struct answers_text hashed(struct str answer)
{
    return (struct answers_text){answer, str_hash(answer)};
}

/* The branch, or the free slot where it belongs. */
static struct classes_branch *find_slot(struct classes *classes, uint32_t from, struct answers_text answer)
{
    uint32_t i = hash_of(from, answer.hash) & (classes->branch_cap - 1);
    for (; classes->branches[i].to != 0; i = (i + 1) & (classes->branch_cap - 1)) {
        const struct classes_branch *b = &classes->branches[i];
        if (b->from == from && b->answer.hash == answer.hash && str_eq(b->answer.bytes, answer.bytes))
            break;
    }
    return &classes->branches[i];
}

/* 0: there is none. */
static uint32_t find_branch(struct classes *classes, uint32_t from, struct answers_text answer)
{
    return find_slot(classes, from, answer)->to;
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
            *find_slot(classes, old[i].from, old[i].answer) = old[i];
    }
}

static struct str keep_text(struct classes *classes, struct str text)
{
    classes->bytes += text.len;
    return str_copy(classes->arena, text);
}

/* Makes the branch if there is none. */
static uint32_t grow_branch(struct classes *classes, uint32_t from, struct answers_text answer)
{
    make_room(classes);
    struct classes_branch *slot = find_slot(classes, from, answer);
    if (slot->to != 0)
        return slot->to;
    ARENA_ROOM(classes->arena, classes->nodes, classes->node_count, classes->node_cap, FIRST_BRANCHES);
    const uint32_t to = classes->node_count++;
    *slot = (struct classes_branch){from, to, {keep_text(classes, answer.bytes), answer.hash}};
    classes->branch_count++;
    return to;
}

/* ---- what is asked of each type ---- */

/* Returns true if the name of the kind may mean something in an expression. */
static bool may_be_named(const struct classes *classes, const struct policy_type *kind)
{
    const uint32_t hash =
        classes->answers == NULL ? answers_first_hash(kind->kind) : answers_kind_hash(classes->answers, kind);
    size_t i = 0;
    arena_pay(classes->arena, classes->identifier_count / ARENA_LOOKS_PER_STEP);
    while (i < classes->identifier_count && classes->identifiers[i] != hash)
        i++;
    return i < classes->identifier_count;
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
static bool describe(struct reads *reads, const struct activation_subject *s, struct text *out)
{
    if (!s->is_custom || s->is_built_in || s->is_mutating || s->type->kind != TYPE_OBJECT)
        return false;
    text_add(out, reads_root(reads, s->type));
    if (s->valid_type != NULL)
        text_add(out, reads_root(reads, s->valid_type));
    text_add_packed(out, s->validated);
    text_add_packed(out, (uint64_t)s->form * 8 + s->old_form);
    return add_requests(out, s->kind);
}

/* ---- the way of a type through the tree ---- */

/* The roots of the type at hand are the first objects. */
static uint32_t root_count(const struct classes_type *t)
{
    return t->is_validated ? 2 : 1;
}

/* The types of the type at hand, which are derived when something is not kept (pay_for_type). */
static struct types *types_of(struct classes *classes)
{
    struct classes_type *t = classes->type;
    if (t->ts != NULL)
        return t->ts;
    const uint64_t paid = arena_begin_free(classes->arena);
    t->make(t);
    arena_end_free(classes->arena, paid);
    t->reads->objects[0] = t->subject->type;
    if (t->is_validated)
        t->reads->objects[1] = t->subject->valid_type;
    return t->ts;
}

/* The object with the number, which an answer on the way mentions: it is found by the questions that led to
 * it. */
static const struct type *find_object(struct classes *classes, uint32_t number)
{
    struct types *ts = types_of(classes);
    const struct type **object = &classes->type->reads->objects[number];
    if (*object == NULL) {
        const struct reads_question *q = &classes->nodes[classes->mentions[number]].question;
        *object = reads_object(find_object(classes, q->of), ts, q);
    }
    return *object;
}

static const struct type *find_object_free(struct classes *classes, uint32_t number)
{
    const uint64_t paid = arena_begin_free(classes->arena);
    const struct type *object = find_object(classes, number);
    arena_end_free(classes->arena, paid);
    return object;
}

static struct hint_change find_hint(struct classes *classes, const struct reads_question *q, bool *is_of_pods)
{
    struct absmap map = *q->map;
    map.type = find_object_free(classes, q->of);
    return hint_change_find(types_of(classes), &(struct hint){.map = &map, .field = q->name}, is_of_pods);
}

static struct str ask_hint(struct classes *classes, const struct reads_question *q)
{
    bool is_of_pods;
    const struct hint_change change = find_hint(classes, q, &is_of_pods);
    return reads_hint_answer(classes->type->reads, &change, is_of_pods);
}

static struct str ask_object(struct classes *classes, const struct reads_question *q)
{
    const uint64_t paid = arena_begin_free(classes->arena);
    find_object(classes, q->of);
    const struct str answer = reads_answer(classes->type->reads, classes->type->ts, q);
    arena_end_free(classes->arena, paid);
    return answer;
}

/* Asks the type itself. */
static struct str ask_type(struct classes *classes, const struct reads_question *q)
{
    if (q->sort == READS_HINT)
        return ask_hint(classes, q);
    if (q->sort == READS_VALUE || q->sort == READS_TEST)
        return reads_answer(classes->type->reads, NULL, q);
    return ask_object(classes, q);
}

/* Returns true if columns have the numbers that the nodes have. */
static bool has_columns(const struct classes *classes)
{
    return classes->answers != NULL && classes->era == answers_era(classes->answers);
}

/* Returns NULL if the answer is not kept. */
static const struct answers_text *find_kept(struct classes *classes, uint32_t column, uint32_t *steps)
{
    return has_columns(classes) ? answers_get(classes->answers, column, classes->type->kind, steps) : NULL;
}

static void keep(struct classes *classes, uint32_t column, struct str answer, uint64_t steps)
{
    if (has_columns(classes))
        answers_put(classes->answers, column, classes->type->kind, answer, steps);
}

/* The price of an answer, whether it is kept or not. Its bytes tell how much was read for it, but for a hint.
 */
static uint64_t price_of(const struct reads_question *q, struct str answer)
{
    return ANSWER_STEPS + (q->name.len + answer.len) / ARENA_HASHED_PER_STEP;
}

/* The node that a kept answer leads to; 0: there is none. Types one after the other often have the same
 * answer, so that no branch is looked for. */
static uint32_t follow_kept(struct classes *classes, uint32_t from, const struct answers_text *kept)
{
    struct classes_node *node = &classes->nodes[from];
    if (node->usual == 0 || node->usual_answer != kept->bytes.at) {
        node->usual = find_branch(classes, from, *kept);
        node->usual_answer = kept->bytes.at;
    }
    return node->usual;
}

/* Returns the node that the answer to the node's question leads to; 0: there is none. */
static uint32_t find_next(struct classes *classes, uint32_t from)
{
    const struct reads_question *q = &classes->nodes[from].question;
    const uint32_t column = classes->nodes[from].column;
    uint32_t steps = 0;
    const struct answers_text *kept = find_kept(classes, column, &steps);
    if (kept != NULL) {
        arena_pay(classes->arena, price_of(q, kept->bytes) + steps);
        return follow_kept(classes, from, kept);
    }
    const uint64_t before = arena_steps(classes->arena);
    const struct str answer = ask_type(classes, q);
    keep(classes, column, answer, q->sort == READS_HINT ? arena_steps(classes->arena) - before : 0);
    arena_pay(classes->arena, price_of(q, answer));
    return find_branch(classes, from, hashed(answer));
}

static uint32_t follow(struct classes *classes, uint32_t node)
{
    const uint32_t to = find_next(classes, node);
    struct reads *reads = classes->type->reads;
    if (to != 0 && classes->nodes[to].has_object) {
        classes->mentions[reads->object_count] = node;
        reads->objects[reads->object_count++] = NULL;
    }
    return to;
}

/* Components of a document that one step of the budget pays for. */
#define COMPONENTS_PER_STEP 16u

/* The price of a type that is derived from its document. */
static void pay_for_type(struct classes *classes)
{
    const struct schema *doc = classes->type->kind->doc;
    arena_pay(classes->arena, TYPE_STEPS + (doc == NULL ? 0 : doc->component_count / COMPONENTS_PER_STEP));
}

/* The description of the type at hand, which the column does not have yet; empty: types like it have no
 * classes. */
static struct str find_description(struct classes *classes, uint32_t column)
{
    struct classes_type *t = classes->type;
    const uint64_t paid = arena_begin_free(classes->arena);
    struct text head = {.arena = types_scratch(types_of(classes))};
    const bool has_classes = describe(t->reads, t->subject, &head) && t->reads->object_count == root_count(t);
    arena_end_free(classes->arena, paid);
    if (!has_classes)
        return STR("");
    keep(classes, column, text_str(&head), 0);
    return text_str(&head);
}

/* The root of types that are sent as this one is; 0: types like this one have no classes. */
static uint32_t find_root(struct classes *classes)
{
    pay_for_type(classes);
    if (classes->is_off || may_be_named(classes, classes->type->kind))
        return 0;
    const uint32_t column = classes->type->is_validated ? ANSWERS_VALIDATED : ANSWERS_PLAIN;
    uint32_t steps;
    const struct answers_text *kept = find_kept(classes, column, &steps);
    const uint32_t known = kept == NULL ? 0 : follow_kept(classes, 0, kept);
    if (known != 0)
        return known;
    const struct answers_text description = kept != NULL ? *kept : hashed(find_description(classes, column));
    return description.bytes.len == 0 ? 0 : grow_branch(classes, 0, description);
}

const struct classes_class *classes_find(struct classes *classes, struct classes_type *type, uint32_t *start)
{
    struct reads *reads = type->reads;
    classes->type = type;
    uint32_t node = *start = find_root(classes);
    reads->is_lost = node == 0;
    if (node == 0)
        return NULL;
    reads->object_count = root_count(type);
    reads_pause(reads);
    while (node != 0 && classes->nodes[node].has_question) {
        arena_step(classes->arena);
        node = follow(classes, node);
    }
    reads_resume(reads);
    const struct classes_class *found = node == 0 ? NULL : classes->nodes[node].found;
    if (found == NULL) {
        type->ts = NULL; /* what the way has asked is not known to the check, which asks it again */
        types_of(classes);
        reads->object_count = root_count(type);
    }
    classes->found += found != NULL;
    classes->not_found += found == NULL;
    return found;
}

bool classes_are_rare(const struct classes *classes)
{
    return classes->not_found >= RARE_AFTER && classes->found < classes->not_found / RARE_ONE_OF;
}

void classes_add_claims(struct classes *classes, const struct classes_class *c, struct claims *claims)
{
    bool is_of_pods;
    reads_pause(classes->type->reads);
    for (size_t i = 0; i < c->claim_count; i++) {
        const struct classes_claim *claim = &c->claims[i];
        if (!claims_wants_note(claims, claim->expression, claim->node))
            continue;
        const struct hint_change change = find_hint(classes, &claim->question, &is_of_pods);
        if (!hint_change_is_near(&change))
            claims_add_note(claims, claim->expression, claim->node);
    }
    reads_resume(classes->type->reads);
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

/* Returns false if the node has another one, because of a claim that another type settled. way: the column
 * that leads to the object. */
static bool set_question(struct classes *classes, uint32_t node, const struct reads_question *q, uint32_t way)
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
    n->column = has_columns(classes) ? answers_column(classes->answers, way, q) : ANSWERS_NO_COLUMN;
    return true;
}

/* The columns that lead to objects, by number. */
struct leading {
    uint32_t list[READS_OBJECTS_MAX];
    uint32_t count;
};

/* Only questions about objects have a number of one. */
static uint32_t way_to(const struct leading *ways, const struct reads_question *q)
{
    return q->of < ways->count ? ways->list[q->of] : ANSWERS_NO_COLUMN;
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
    struct leading ways = {.list = {ANSWERS_OBJECT, ANSWERS_VALIDATED_OBJECT},
                           .count = root_count(classes->type)};
    for (size_t i = 0; i < reads->count; i++) {
        const struct reads_read *read = &reads->list[i];
        if (!set_question(classes, node, &read->question, way_to(&ways, &read->question)))
            return NULL;
        const uint32_t column = classes->nodes[node].column;
        node = grow_branch(classes, node, hashed(read->answer));
        classes->nodes[node].has_object = read->has_object;
        if (read->has_object)
            ways.list[ways.count++] = column;
    }
    if (classes->nodes[node].has_question || classes->nodes[node].found != NULL)
        return NULL;
    struct classes_class *made = ARENA_NEW(classes->arena, struct classes_class);
    *made = (struct classes_class){.blocks = keep_blocks(classes, blocks, count), .count = count};
    keep_claims(classes, made, reads, claims);
    classes->nodes[node].found = made;
    return made;
}
