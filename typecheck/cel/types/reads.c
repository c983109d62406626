/*
 * A note is a question (what was asked, of which object, for which name) and its answer as bytes. The first
 * part of the file writes answers: all that a check can see of a type is appended to one text, and object
 * types get a number when an answer first mentions them. The second part notes questions while a check runs.
 * The last part asks the same questions of another type, and writes the answers in the same way: if all are
 * equal, byte for byte, the check of that type would go the same way. If there are too many notes, is_lost
 * is set, and nothing more is noted.
 */
#include "typecheck/cel/types/reads.h"

#include "typecheck/base/arena.h"

void reads_begin(struct reads *r, struct arena *a, reads_name_of *name_of, const void *type)
{
    r->arena = a;
    r->name_of = name_of;
    r->type = type;
    r->list = NULL;
    r->count = r->cap = 0;
    r->object_count = 0;
    r->named_count = r->test_count = r->text_count = 0;
    r->paused = 0;
    r->is_lost = false;
    r->answer = (struct text){.arena = a};
}

/* ---- answers ---- */

static void add_bytes(struct reads *r, const void *at, size_t size)
{
    text_add(&r->answer, (struct str){at, size});
}

static void add_number(struct reads *r, uint64_t number)
{
    text_add_packed(&r->answer, number);
}

/* Adds a text after its length, so that its end is certain. */
static void add_text(struct reads *r, struct str text)
{
    add_number(r, text.len);
    text_add(&r->answer, text);
}

uint32_t reads_number(const struct reads *r, const struct type *object)
{
    arena_pay(r->arena, r->object_count / ARENA_LOOKS_PER_STEP);
    for (uint32_t i = r->object_count; i > 0; i--) {
        if (r->objects[i - 1] == object)
            return i - 1;
    }
    return READS_OBJECTS_MAX;
}

/* Gives the object a number, if it has none. */
static void number_object(struct reads *r, const struct type *object)
{
    if (reads_number(r, object) != READS_OBJECTS_MAX)
        return;
    if (r->object_count == READS_OBJECTS_MAX)
        r->is_lost = true;
    else
        r->objects[r->object_count++] = object;
}

/* The number is no part of an answer: of types that gave the same answers so far, the object has the same. */
static void add_object(struct reads *r, const struct type *object)
{
    if (r->paused == 0)
        number_object(r, object);
    if (object->ops != NULL && object->ops->describe != NULL)
        object->ops->describe(object, &r->answer);
    else
        add_text(r, object->name);
}

/* Types without parameters are constants, but for those that have a name. */
static void add_type(struct reads *r, const struct type *t)
{
    arena_step(r->arena);
    if (t == NULL) {
        text_add_char(&r->answer, '-');
        return;
    }
    add_number(r, (uint64_t)t->kind * 2 + t->nullable);
    add_number(r, t->param_count);
    if (t->kind == TYPE_OBJECT) {
        add_object(r, t);
    } else if (type_not_null(t) != NULL) {
        text_add_char(&r->answer, '?');
        add_type(r, type_not_null(t));
    } else if (t->param_count == 0 && t->kind != TYPE_OPAQUE && t->kind != TYPE_PARAM) {
        const uintptr_t address = (uintptr_t)t;
        add_bytes(r, &address, sizeof address);
    } else {
        add_text(r, t->name);
        for (size_t i = 0; i < t->param_count; i++)
            add_type(r, t->params[i]);
    }
}

static void add_words(struct reads *r, const struct type_words *words)
{
    if (words == NULL) {
        text_add_char(&r->answer, '-');
        return;
    }
    add_text(r, words->what);
    add_number(r, words->count);
    add_number(r, words->other_count);
    arena_pay(r->arena, words->count + words->other_count);
    for (size_t i = 0; i < words->count + words->other_count; i++)
        add_text(r, words->list[i]);
}

static void add_range(struct reads *r, const struct type_range *range)
{
    if (range == NULL) {
        text_add_char(&r->answer, '-');
        return;
    }
    add_text(r, range->what);
    add_number(r, (uint64_t)range->min);
    add_number(r, (uint64_t)range->max);
    add_number(r, range->is_of_size);
}

/* name: of an entry that was asked for by its index; empty: of a key. */
static void add_entry(struct reads *r, bool is_there, struct str name, const struct object_entry *e)
{
    add_number(r, is_there);
    if (!is_there)
        return;
    add_text(r, name);
    const bool flags[] = {e->may_be_null, e->is_rarely_null, e->is_always_there, e->is_set,
                          e->is_atomic,   e->holds_atomics,  e->is_go_map};
    add_bytes(r, flags, sizeof flags);
    add_type(r, e->type);
    add_words(r, e->words);
    add_range(r, e->range);
    add_number(r, (uint64_t)e->spelling * SPELLINGS + e->key_spelling);
}

static void add_name(struct reads *r, bool is_there, struct str name)
{
    add_number(r, is_there);
    if (is_there)
        add_text(r, name);
}

static void add_hint(struct reads *r, const struct hint_change *change, bool is_of_pods)
{
    add_number(r, (uint64_t)change->sort * 2 + is_of_pods);
    if (change->sort == HINT_NOTHING)
        return;
    add_text(r, change->from);
    add_text(r, change->to);
}

static struct str name_of(struct reads *r, uint32_t number)
{
    return r->name_of(r->type, r->arena, number);
}

static void begin_answer(struct reads *r)
{
    r->answer.len = 0;
    r->objects_before = r->object_count;
}

struct str reads_root(struct reads *r, const struct type *root)
{
    begin_answer(r);
    add_type(r, root);
    return text_str(&r->answer);
}

/* ---- notes ---- */

/* Returns true if something is to be noted of the object type; its number is then in the question. */
static bool begin(struct reads *r, const struct type *object, struct reads_question *q)
{
    if (!reads_is_on(r))
        return false;
    q->of = reads_number(r, object);
    begin_answer(r);
    return q->of != READS_OBJECTS_MAX;
}

static void end(struct reads *r, struct reads_question q)
{
    if (r->count == READS_MAX)
        r->is_lost = true;
    if (r->is_lost)
        return;
    ARENA_ROOM(r->arena, r->list, r->count, r->cap, 16);
    q.name = str_copy(r->arena, q.name);
    r->list[r->count++] = (struct reads_read){.question = q,
                                              .answer = str_copy(r->arena, text_str(&r->answer)),
                                              .has_object = r->object_count > r->objects_before};
}

/* Returns true if the question was asked before: a second answer would be the same. */
static bool is_known(struct reads *r, const struct reads_question *q)
{
    arena_pay(r->arena, r->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < r->count; i++) {
        const struct reads_question *known = &r->list[i].question;
        if (known->sort == q->sort && known->of == q->of && known->index == q->index &&
            known->map == q->map && str_eq(known->name, q->name))
            return true;
    }
    return false;
}

void reads_field(struct reads *r, const struct type *object, struct str name, const struct type *field)
{
    struct reads_question q = {.sort = READS_FIELD, .name = name};
    if (!begin(r, object, &q))
        return;
    add_type(r, field);
    end(r, q);
}

void reads_entry(struct reads *r, const struct type *object, struct reads_question q, bool is_there,
                 struct str name, const struct object_entry *entry)
{
    if (!begin(r, object, &q))
        return;
    add_entry(r, is_there, name, entry);
    end(r, q);
}

void reads_is_given(struct reads *r, const struct type *object, struct str name, bool is_given)
{
    struct reads_question q = {.sort = READS_IS_GIVEN, .name = name};
    if (!begin(r, object, &q) || is_known(r, &q))
        return;
    add_number(r, is_given);
    end(r, q);
}

void reads_name(struct reads *r, const struct type *object, size_t index, bool is_there, struct str name)
{
    struct reads_question q = {.sort = READS_NAME, .index = index};
    if (!begin(r, object, &q))
        return;
    add_name(r, is_there, name);
    end(r, q);
}

void reads_text(struct reads *r, const struct type *object)
{
    const uint32_t number = reads_is_on(r) ? reads_number(r, object) : READS_OBJECTS_MAX;
    size_t i = 0;
    if (number == READS_OBJECTS_MAX)
        return;
    while (i < r->text_count && r->texts[i] != number)
        i++;
    if (i == READS_TEXTS_MAX)
        r->is_lost = true;
    else if (i == r->text_count)
        r->texts[r->text_count++] = number;
}

void reads_report(struct reads *r)
{
    for (size_t i = 0; reads_is_on(r) && i < r->text_count; i++) {
        const struct reads_question q = {.sort = READS_TEXT, .of = r->texts[i]};
        if (is_known(r, &q))
            continue;
        begin_answer(r);
        add_text(r, r->objects[q.of]->name);
        end(r, q);
    }
}

/* ---- names of the type ---- */

void reads_forget_names(struct reads *r)
{
    if (r != NULL)
        r->named_count = 0;
}

void reads_add_name(struct reads *r, const struct literal *values, uint32_t number)
{
    if (!reads_is_on(r))
        return;
    if (r->named_count == READS_NAMED_MAX)
        r->is_lost = true;
    else
        r->named[r->named_count++] = (struct reads_named){values, number};
}

static void note_name(struct reads *r, uint32_t number)
{
    const struct reads_question q = {.sort = READS_VALUE, .of = number, .name = STR("")};
    if (!reads_is_on(r) || is_known(r, &q))
        return;
    begin_answer(r);
    add_text(r, name_of(r, number));
    end(r, q);
}

static void note_test(struct reads *r, uint32_t number, struct str literal)
{
    const struct reads_question q = {.sort = READS_TEST, .of = number, .name = literal};
    if (!reads_is_on(r) || is_known(r, &q))
        return;
    begin_answer(r);
    add_number(r, str_eq(name_of(r, number), literal));
    end(r, q);
}

void reads_value(struct reads *r, const struct literal *values)
{
    if (!reads_is_on(r) || values == NULL)
        return;
    size_t i = 0;
    while (i < r->named_count && r->named[i].values != values)
        i++;
    if (i == r->named_count)
        return;
    for (size_t k = 0; k < r->test_count; k++)
        note_test(r, r->named[i].number, r->tests[k]);
    if (r->test_count == 0)
        note_name(r, r->named[i].number);
}

void reads_resources(struct reads *r, size_t request_count)
{
    if (!reads_is_on(r))
        return;
    for (size_t i = 0; i < request_count; i++)
        note_name(r, (uint32_t)(READS_OF_REQUESTS + i * READS_REQUEST_NAMES + READS_RESOURCE));
}

/* ---- hints ---- */

void reads_hint(struct reads *r, const struct absmap *map, const struct type *object, struct str field,
                const struct hint_change *change, bool is_of_pods)
{
    struct reads_question q = {.sort = READS_HINT, .name = field, .map = map};
    if (!begin(r, object, &q) || is_known(r, &q))
        return;
    add_hint(r, change, is_of_pods);
    end(r, q);
}

struct str reads_hint_answer(struct reads *r, const struct hint_change *change, bool is_of_pods)
{
    begin_answer(r);
    add_hint(r, change, is_of_pods);
    return text_str(&r->answer);
}

/* ---- answers for another type ---- */

/* The object type that an answer with the type mentions; NULL: none. */
static const struct type *object_within(const struct type *t)
{
    while (t != NULL && t->kind != TYPE_OBJECT) {
        if (type_not_null(t) != NULL)
            t = type_not_null(t);
        else
            t = t->param_count == 0 ? NULL : t->params[t->param_count - 1];
    }
    return t;
}

const struct type *reads_object(const struct type *object, struct types *ts, const struct reads_question *q)
{
    struct object_entry entry = {.type = NULL};
    if (q->sort == READS_FIELD)
        return object_within(object->ops->field(object, q->name, ts));
    if (q->sort == READS_KEY)
        object->ops->key(object, q->name, ts, &entry);
    else if (q->sort == READS_ENTRY)
        object->ops->entry(object, q->index, ts, &entry);
    return object_within(entry.type);
}

static void answer_of_object(struct reads *r, struct types *ts, const struct reads_question *q)
{
    const struct type *object = r->objects[q->of];
    struct object_entry entry = {.type = NULL};
    struct str name = STR("");
    bool is_there;
    switch (q->sort) {
    case READS_FIELD:
        add_type(r, object->ops->field(object, q->name, ts));
        break;
    case READS_KEY:
        is_there = object->ops->key(object, q->name, ts, &entry);
        add_entry(r, is_there, STR(""), &entry);
        break;
    case READS_ENTRY:
        is_there = object->ops->entry(object, q->index, ts, &entry);
        object->ops->name(object, q->index, &name);
        add_entry(r, is_there, name, &entry);
        break;
    case READS_IS_GIVEN:
        add_number(r, object->ops->is_given(object, q->name, ts));
        break;
    case READS_NAME:
        is_there = object->ops->name(object, q->index, &name);
        add_name(r, is_there, name);
        break;
    default:
        add_text(r, object->name);
    }
}

struct str reads_answer(struct reads *r, struct types *ts, const struct reads_question *q)
{
    begin_answer(r);
    if (q->sort == READS_VALUE)
        add_text(r, name_of(r, q->of));
    else if (q->sort == READS_TEST)
        add_number(r, str_eq(name_of(r, q->of), q->name));
    else
        answer_of_object(r, ts, q);
    return text_str(&r->answer);
}
