#include "typecheck/policy/check/answers.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/check/identity.h"

/* An answer has a number of 16 bits. */
enum { TEXTS_MAX = 60000, FIRST_SLOTS = 256 };

/* A fact that the schema alone shows of a type's field. */
enum shown {
    SHOWN_NOT_ASKED,
    SHOWN_NOTHING, /* it is not certain that the type has it or lacks it, or what it may have */
    SHOWN_LACKED,
    SHOWN_CLOSED, /* an object with the fields that its schema lists, and no others */
};

/* A bit for each hash that the name of a field has which a type lists. */
struct listed {
    uint64_t bits[2];
};

/* A field of resources, by its names from the root on. Columns of an object and of the validated object are
 * about the same field. */
struct field {
    uint32_t of; /* the field that has it */
    struct str name;
    uint32_t hash;         /* of the name */
    uint32_t depth;        /* the number of names */
    uint8_t *shown;        /* by identity, enum shown */
    uint32_t count;        /* of the fields of this one */
    struct listed *listed; /* by identity, of those that are SHOWN_CLOSED; NULL: few fields are asked for */
};

/* Numbers of fields. The root is one that has no name. */
enum { NO_FIELD, ROOT_FIELD };
#define FIELD_DEPTH_MAX 8u

/* With so many fields of a field, a look at what a type lists is worth its room. Of a type that lists more
 * than LISTED_MAX, most bits would be set. */
enum { LISTED_AFTER = 8, LISTED_MAX = 64 };

struct column {
    uint32_t way;
    struct reads_question question;
    uint16_t *texts; /* by identity; 0: not known */
    uint16_t *steps; /* those that were kept with them; NULL if no answer of this sort has steps */
    uint32_t field;  /* the one that the question is about; NO_FIELD: it is about something else */
    uint16_t lacks;  /* the text of types that lack the field; 0: not known */
};

/* An index of texts, columns or fields by hash: open addressing; 0 is a free slot. */
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
    struct column *columns;
    struct field *fields;
    uint32_t *kinds; /* by identity: answers_first_hash of the kind; 0: not known */
    size_t text_cap, column_cap, field_cap;
    struct index of_texts, of_columns, of_fields;
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

static uint32_t hash_of_name(uint32_t of, uint32_t name_hash)
{
    return (name_hash ^ of * 0x9E3779B9u) * 0x85EBCA6Bu;
}

static uint32_t hash_of_field(const struct typecheck_answers *answers, uint32_t number)
{
    return hash_of_name(answers->fields[number].of, answers->fields[number].hash);
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

/* ---- fields ---- */

static uint32_t add_field(struct typecheck_answers *answers, const struct field *field)
{
    struct arena *a = &answers->arena;
    ARENA_ROOM(a, answers->fields, answers->of_fields.count, answers->field_cap, FIRST_SLOTS);
    struct field *added = &answers->fields[answers->of_fields.count];
    *added = *field;
    added->name = str_copy(a, field->name);
    added->shown = ARENA_ARRAY(a, answers->types, uint8_t);
    struct field *of = &answers->fields[field->of];
    if (++of->count == LISTED_AFTER && field->of > ROOT_FIELD)
        of->listed = ARENA_ARRAY(a, answers->types, struct listed);
    return answers->of_fields.count++;
}

static uint32_t find_field(struct typecheck_answers *answers, uint32_t of, struct str name)
{
    const struct field sought = {
        .of = of, .name = name, .hash = str_hash(name), .depth = answers->fields[of].depth + 1};
    struct index *index = &answers->of_fields;
    make_room(answers, index, hash_of_field);
    uint32_t i = hash_of_name(of, sought.hash) & (index->cap - 1);
    for (; index->slots[i] != 0; i = (i + 1) & (index->cap - 1)) {
        const struct field *known = &answers->fields[index->slots[i]];
        if (known->of == of && str_eq(known->name, name))
            return index->slots[i];
    }
    return index->slots[i] = add_field(answers, &sought);
}

/* The field that the question is about, which is asked of the object that the column leads to. */
static uint32_t field_of(struct typecheck_answers *answers, uint32_t leading, const struct reads_question *q)
{
    const uint32_t of = answers->columns[leading].field;
    const bool is_of_field = q->sort == READS_FIELD || q->sort == READS_KEY;
    return is_of_field && of != NO_FIELD && answers->fields[of].depth < FIELD_DEPTH_MAX &&
                   object_type_is_schema_name(q->name, of == ROOT_FIELD)
               ? find_field(answers, of, q->name)
               : NO_FIELD;
}

/* Finds the schema of a field; NULL: it has none. Recurses as deep as the field is. */
static const struct schema_node *find_node(const struct typecheck_answers *answers, uint32_t field,
                                           const struct policy_type *type)
{
    const struct field *f = &answers->fields[field];
    if (field == ROOT_FIELD)
        return type->node;
    const struct schema_node *of = find_node(answers, f->of, type);
    const struct schema_property *p = of == NULL ? NULL : schema_graph_find(type->doc, of, f->name);
    return p == NULL ? NULL : &type->doc->nodes[p->node];
}

/* All zero: nothing is known. */
static struct listed list_fields(const struct typecheck_answers *answers, uint32_t field,
                                 const struct policy_type *type)
{
    const struct schema_node *node = find_node(answers, field, type);
    struct listed listed = {{0}};
    const uint32_t count = node == NULL || node->property_count > LISTED_MAX ? 0 : node->property_count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = type->doc->strings + type->doc->properties[node->properties + i].name;
        const uint32_t hash = str_hash(str_of(name));
        listed.bits[hash / 64 % 2] |= UINT64_C(1) << hash % 64;
    }
    return listed;
}

static bool is_empty(const struct listed *listed)
{
    return (listed->bits[0] | listed->bits[1]) == 0;
}

/* Returns false if the type lacks the field of a closed object, without a look at its schema, which is far
 * away in memory. */
static bool may_have(const struct typecheck_answers *answers, const struct field *field,
                     const struct policy_type *type)
{
    const bool may_have = schema_graph_may_have(type->doc, field->hash);
    if (!may_have || answers->fields[field->of].listed == NULL)
        return may_have;
    struct listed *listed = &answers->fields[field->of].listed[type->identity];
    if (is_empty(listed))
        *listed = list_fields(answers, field->of, type);
    return is_empty(listed) || (listed->bits[field->hash / 64 % 2] >> field->hash % 64 & 1) != 0;
}

static enum shown show(const struct typecheck_answers *answers, uint32_t field,
                       const struct policy_type *type);

static enum shown find_shown(const struct typecheck_answers *answers, uint32_t field,
                             const struct policy_type *type)
{
    const struct field *f = &answers->fields[field];
    if (field == ROOT_FIELD)
        return SHOWN_NOTHING;
    if (f->of == ROOT_FIELD ? type->node->type != JSON_OBJECT : show(answers, f->of, type) != SHOWN_CLOSED)
        return SHOWN_NOTHING;
    const struct schema_node *node = may_have(answers, f, type) ? find_node(answers, field, type) : NULL;
    if (node == NULL)
        return f->of == ROOT_FIELD ? SHOWN_NOTHING : SHOWN_LACKED;
    return object_type_is_closed(node) ? SHOWN_CLOSED : SHOWN_NOTHING;
}

/* Recurses as deep as the field is. */
static enum shown show(const struct typecheck_answers *answers, uint32_t field,
                       const struct policy_type *type)
{
    uint8_t *shown = &answers->fields[field].shown[type->identity];
    if (*shown == SHOWN_NOT_ASKED)
        *shown = (uint8_t)find_shown(answers, field, type);
    return (enum shown) * shown;
}

/* Returns true if the type lacks the field that the question of the column is about. */
static bool lacks(const struct typecheck_answers *answers, const struct column *column,
                  const struct policy_type *type)
{
    return column->field != NO_FIELD && show(answers, column->field, type) == SHOWN_LACKED;
}

/* ---- columns ---- */

static bool is_same(const struct column *column, uint32_t way, const struct reads_question *q)
{
    return column->way == way && column->question.sort == q->sort && column->question.index == q->index &&
           str_eq(column->question.name, q->name);
}

static uint32_t add_column(struct typecheck_answers *answers, uint32_t way, const struct reads_question *q)
{
    struct arena *a = &answers->arena;
    ARENA_ROOM(a, answers->columns, answers->of_columns.count, answers->column_cap, FIRST_SLOTS);
    struct column *column = &answers->columns[answers->of_columns.count];
    *column = (struct column){.way = way,
                              .question = *q,
                              .texts = ARENA_ARRAY(a, answers->types, uint16_t),
                              .field = field_of(answers, way, q)};
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

static bool has_place(const struct typecheck_answers *answers, const struct policy_type *type)
{
    return type->identity != 0 && type->identity < answers->types;
}

uint32_t answers_first_hash(struct str name)
{
    struct str rest = name, first;
    str_cut(&rest, '.', &first);
    const uint32_t hash = str_hash(first);
    return hash == 0 ? 1 : hash;
}

uint32_t answers_kind_hash(struct typecheck_answers *answers, const struct policy_type *type)
{
    if (!has_place(answers, type))
        return answers_first_hash(type->kind);
    uint32_t *hash = &answers->kinds[type->identity];
    if (*hash == 0)
        *hash = answers_first_hash(type->kind);
    return *hash;
}

const struct answers_text *answers_get(struct typecheck_answers *answers, uint32_t column,
                                       const struct policy_type *type, uint32_t *steps)
{
    const uint32_t identity = type->identity;
    if (column == ANSWERS_NO_COLUMN || !has_place(answers, type))
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
    if (column == ANSWERS_NO_COLUMN || answers->is_full || !has_place(answers, type) || steps > UINT16_MAX)
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
    answers->text_cap = answers->column_cap = answers->field_cap = 0;
    make_index(&answers->arena, &answers->of_texts);
    make_index(&answers->arena, &answers->of_columns);
    make_index(&answers->arena, &answers->of_fields);
    ARENA_ROOM(&answers->arena, answers->texts, 0, answers->text_cap, FIRST_SLOTS);
    ARENA_ROOM(&answers->arena, answers->columns, 0, answers->column_cap, FIRST_SLOTS);
    answers->kinds = ARENA_ARRAY(&answers->arena, types, uint32_t);
    add_field(answers, &(struct field){.name = STR("")});
    for (uint32_t column = ANSWERS_OBJECT; column <= ANSWERS_VALIDATED_OBJECT; column++) {
        add_column(answers, ANSWERS_NO_COLUMN, &none);
        answers->columns[column].field = ROOT_FIELD;
    }
}

void answers_begin(struct typecheck_answers *answers, const struct typecheck_policy *policy)
{
    const size_t most = policy->most_identity;
    if (answers->is_full || answers->minor != policy->minor || most >= answers->types)
        begin_again(answers, identity_room(most));
    answers->minor = policy->minor;
}
