#include "typecheck/policy/check/answers.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/check/identity.h"

/* An answer has a number of 16 bits. */
enum { TEXTS_MAX = 60000, FIRST_SLOTS = 256 };

struct column {
    uint32_t way;
    struct reads_question question;
    uint16_t *texts; /* by identity; 0: not known */
    uint16_t *steps; /* those that were kept with them; NULL if no answer of this sort has steps */
    uint16_t lacks;  /* the text of types that lack the field; 0: not known */
    bool may_lack;   /* the names allow to know from the schema alone that a type lacks it */
};

/* An index of texts or columns by hash: open addressing; 0 is a free slot. */
struct index {
    uint32_t *slots;
    uint32_t count, cap; /* cap: a power of two */
};

struct typecheck_answers {
    struct arena arena; /* holds this, and behind the mark all else */
    struct arena_mark mark;
    bool is_full;
    uint32_t era;
    int minor;    /* of the Kubernetes whose types these are */
    size_t types; /* how many identities there is room for; 0 if nothing is kept */
    struct answers_text *texts;
    size_t text_cap, column_cap;
    struct column *columns;
    struct index of_texts, of_columns;
};

struct typecheck_answers *typecheck_answers_new(size_t max_bytes)
{
    struct arena holds_it;
    struct typecheck_answers *answers = arena_init_holder(&holds_it, max_bytes, sizeof *answers);
    if (answers == NULL)
        return NULL;
    answers->arena = holds_it;
    answers->mark = arena_mark(&answers->arena);
    return answers;
}

void typecheck_answers_free(struct typecheck_answers *answers)
{
    if (answers == NULL)
        return;
    struct arena holds_this = answers->arena;
    arena_deinit(&holds_this);
}

void typecheck_answers_forget(struct typecheck_answers *answers)
{
    arena_release(&answers->arena, answers->mark);
    answers->is_full = false;
    answers->types = 0;
    answers->era++;
}

uint32_t answers_era(const struct typecheck_answers *answers)
{
    return answers->era;
}

/* ---- indexes ---- */

static void make_index(struct arena *a, struct index *index)
{
    *index = (struct index){.slots = ARENA_ARRAY(a, FIRST_SLOTS, uint32_t), .count = 1, .cap = FIRST_SLOTS};
}

typedef uint32_t hash_of(const struct typecheck_answers *answers, uint32_t number);

/* Makes room for one more number. */
static void make_room(struct typecheck_answers *answers, struct index *index, hash_of *hash)
{
    if (2 * (index->count + 1) <= index->cap)
        return;
    const uint32_t cap = 2 * index->cap;
    uint32_t *slots = ARENA_ARRAY(&answers->arena, cap, uint32_t);
    for (uint32_t number = 1; number < index->count; number++) {
        uint32_t i = hash(answers, number) & (cap - 1);
        while (slots[i] != 0)
            i = (i + 1) & (cap - 1);
        slots[i] = number;
    }
    index->slots = slots;
    index->cap = cap;
}

static uint32_t hash_of_text(const struct typecheck_answers *answers, uint32_t number)
{
    return answers->texts[number].hash;
}

static uint32_t hash_of_question(uint32_t way, const struct reads_question *q)
{
    const uint32_t place = (way * 16 + (uint32_t)q->sort) * 0x9E3779B9u + (uint32_t)q->index;
    return (str_hash(q->name) ^ place) * 0x85EBCA6Bu;
}

static uint32_t hash_of_column(const struct typecheck_answers *answers, uint32_t number)
{
    return hash_of_question(answers->columns[number].way, &answers->columns[number].question);
}

/* ---- texts ---- */

/* The number of the text, which is added if it is new; 0 if there is no room. */
static uint32_t find_text(struct typecheck_answers *answers, struct str bytes)
{
    struct index *index = &answers->of_texts;
    make_room(answers, index, hash_of_text);
    const uint32_t hash = str_hash(bytes);
    uint32_t i = hash & (index->cap - 1);
    for (; index->slots[i] != 0; i = (i + 1) & (index->cap - 1)) {
        const struct answers_text *text = &answers->texts[index->slots[i]];
        if (text->hash == hash && str_eq(text->bytes, bytes))
            return index->slots[i];
    }
    if (index->count == TEXTS_MAX) {
        answers->is_full = true;
        return 0;
    }
    ARENA_ROOM(&answers->arena, answers->texts, index->count, answers->text_cap, FIRST_SLOTS);
    answers->texts[index->count] = (struct answers_text){str_copy(&answers->arena, bytes), hash};
    return index->slots[i] = index->count++;
}

/* ---- columns ---- */

static bool is_same(const struct column *column, uint32_t way, const struct reads_question *q)
{
    return column->way == way && column->question.sort == q->sort && column->question.index == q->index &&
           str_eq(column->question.name, q->name);
}

/* The fields from the root of a resource down to an object. */
enum { WAY_MAX = 8 };
struct way {
    struct str names[WAY_MAX]; /* the last ones */
    size_t count;
};

static const struct str *names_of(const struct way *way)
{
    return way->names + WAY_MAX - way->count;
}

static bool is_of_field(const struct reads_question *q)
{
    return q->sort == READS_FIELD || q->sort == READS_KEY;
}

/* Finds the way that the column leads; false if it is of more than fields, has too many, or none. */
static bool find_way(const struct typecheck_answers *answers, uint32_t column, struct way *way)
{
    way->count = 0;
    for (; column > ANSWERS_VALIDATED && way->count < WAY_MAX; column = answers->columns[column].way) {
        if (!is_of_field(&answers->columns[column].question))
            return false;
        way->names[WAY_MAX - ++way->count] = answers->columns[column].question.name;
    }
    return column <= ANSWERS_VALIDATED && way->count > 0;
}

/* Returns true if lacks() is to be asked of types. */
static bool may_lack(const struct typecheck_answers *answers, uint32_t leading,
                     const struct reads_question *q)
{
    struct way way;
    return is_of_field(q) && find_way(answers, leading, &way) &&
           object_type_may_lack(names_of(&way), way.count, q->name);
}

/* Returns true if the type lacks the field that the question of the column is about. */
static bool lacks(const struct typecheck_answers *answers, const struct column *column,
                  const struct policy_type *type)
{
    struct way way;
    return column->may_lack && find_way(answers, column->way, &way) &&
           object_type_lacks(type->doc, type->node, names_of(&way), way.count, column->question.name);
}

static uint32_t add_column(struct typecheck_answers *answers, uint32_t way, const struct reads_question *q)
{
    struct arena *a = &answers->arena;
    ARENA_ROOM(a, answers->columns, answers->of_columns.count, answers->column_cap, FIRST_SLOTS);
    struct column *column = &answers->columns[answers->of_columns.count];
    *column = (struct column){.way = way,
                              .question = *q,
                              .texts = ARENA_ARRAY(a, answers->types, uint16_t),
                              .may_lack = may_lack(answers, way, q)};
    if (q->sort == READS_HINT)
        column->steps = ARENA_ARRAY(a, answers->types, uint16_t);
    column->question.name = str_copy(a, q->name);
    column->question.map = NULL;
    return answers->of_columns.count++;
}

static uint32_t find_column(struct typecheck_answers *answers, uint32_t way, const struct reads_question *q)
{
    struct index *index = &answers->of_columns;
    make_room(answers, index, hash_of_column);
    uint32_t i = hash_of_question(way, q) & (index->cap - 1);
    for (; index->slots[i] != 0; i = (i + 1) & (index->cap - 1)) {
        if (is_same(&answers->columns[index->slots[i]], way, q))
            return index->slots[i];
    }
    return index->slots[i] = add_column(answers, way, q);
}

/* A name of the type costs less than its column, and what a message calls it is different for each. Maps of
 * which more is known than their type says are a matter of one policy. */
static bool is_kept(const struct reads_question *q)
{
    switch (q->sort) {
    case READS_VALUE:
    case READS_TEST:
    case READS_TEXT:
        return false;
    case READS_HINT:
        return q->map->field_count == 0;
    default:
        return true;
    }
}

uint32_t answers_column(struct typecheck_answers *answers, uint32_t way, const struct reads_question *q)
{
    if (way == ANSWERS_NO_COLUMN || answers->is_full || !is_kept(q))
        return ANSWERS_NO_COLUMN;
    if (setjmp(answers->arena.escape) == 0)
        return find_column(answers, way, q);
    answers->is_full = true;
    return ANSWERS_NO_COLUMN;
}

/* ---- answers ---- */

const struct answers_text *answers_get(struct typecheck_answers *answers, uint32_t column,
                                       const struct policy_type *type, uint32_t *steps)
{
    const uint32_t identity = type->identity;
    if (column == ANSWERS_NO_COLUMN || identity == 0 || identity >= answers->types)
        return NULL;
    struct column *c = &answers->columns[column];
    if (c->texts[identity] == 0 && c->lacks != 0 && lacks(answers, c, type))
        c->texts[identity] = c->lacks;
    *steps = c->steps == NULL ? 0 : c->steps[identity];
    return c->texts[identity] == 0 ? NULL : &answers->texts[c->texts[identity]];
}

void answers_put(struct typecheck_answers *answers, uint32_t column, const struct policy_type *type,
                 struct str bytes, uint64_t steps)
{
    const uint32_t identity = type->identity;
    const bool has_room = identity != 0 && identity < answers->types && steps <= UINT16_MAX;
    if (column == ANSWERS_NO_COLUMN || answers->is_full || !has_room)
        return;
    if (setjmp(answers->arena.escape) != 0) {
        answers->is_full = true;
        return;
    }
    const uint16_t text = (uint16_t)find_text(answers, bytes);
    struct column *c = &answers->columns[column];
    c->texts[identity] = text;
    if (c->steps != NULL)
        c->steps[identity] = (uint16_t)steps;
    if (c->lacks == 0 && lacks(answers, c, type))
        c->lacks = text;
}

/* ---- a check ---- */

static void begin_again(struct typecheck_answers *answers, size_t types)
{
    static const struct reads_question none = {.name = STR_INIT("")};
    typecheck_answers_forget(answers);
    if (setjmp(answers->arena.escape) != 0) {
        typecheck_answers_forget(answers);
        answers->is_full = true;
        return;
    }
    answers->types = types;
    answers->text_cap = answers->column_cap = 0;
    make_index(&answers->arena, &answers->of_texts);
    make_index(&answers->arena, &answers->of_columns);
    ARENA_ROOM(&answers->arena, answers->texts, 0, answers->text_cap, FIRST_SLOTS);
    ARENA_ROOM(&answers->arena, answers->columns, 0, answers->column_cap, FIRST_SLOTS);
    add_column(answers, ANSWERS_NO_COLUMN, &none);
    add_column(answers, ANSWERS_NO_COLUMN, &none);
}

void answers_begin(struct typecheck_answers *answers, const struct typecheck_policy *policy)
{
    const size_t most = identity_most(policy);
    if (answers->is_full || answers->minor != policy->minor || most >= answers->types)
        begin_again(answers, identity_room(most));
    answers->minor = policy->minor;
}
