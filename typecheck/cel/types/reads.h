/*
 * reads: the questions that the check of one type asks about the type, in order, and the answers.
 *
 * The check of a policy is deterministic. So if another type gives the same answer to each of these
 * questions, its check would go the same way and find the same; classes.h uses this. All that a check learns
 * about a type it learns here:
 *
 *   - Each object type of a schema (schema/object_type.h) notes what is asked of it: fields, keys, names.
 *     Objects have numbers, in the order in which answers mention them; object 0 is the root. The same
 *     object is mentioned again only in answers about the same field of the same object.
 *   - abstract/domain/absmap.c notes which names of the type (kind, apiVersion, those of the request's
 *     resource) an expression reads. If it only compares the name with literals, only the outcomes are noted.
 *   - abstract/domain/hint.c notes what was meant by a field that is missing, and not the many names that it
 *     reads for that.
 *
 * Object types that no answer mentioned, such as those of params, are the same for each type of the policy:
 * nothing is noted about them. NULL as the reads: nobody wants to know.
 *
 *     struct reads reads;
 *     reads_begin(&reads, arena, activation_name, kind);
 *     types_set_reads(ts, &reads);
 *     reads_root(&reads, type);
 *     ... check ...
 *     for (size_t i = 0; i < reads.count; i++) ... reads.list[i] ...
 */
#ifndef TYPECHECK_CEL_TYPES_READS_H
#define TYPECHECK_CEL_TYPES_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/hint_change.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/type.h"

struct absmap;

/* The name with that number of the type; it may lie in `a`. */
typedef struct str reads_name_of(const void *type, struct arena *a, uint32_t number);

enum reads_sort {
    READS_FIELD, /* this and the next: of the object `of`, by name */
    READS_KEY,
    READS_IS_GIVEN,
    READS_NAME, /* this and the next: by index */
    READS_ENTRY,
    READS_TEXT,  /* how messages call the object type `of` */
    READS_VALUE, /* the name of the type with the number `of` */
    READS_TEST,  /* the test that this name is `name` */
    READS_HINT,  /* the change that was meant by `name`, which a map of the object type `of` lacks */
};

struct reads_question {
    enum reads_sort sort;
    uint32_t of;
    size_t index;
    struct str name;
    const struct absmap *map; /* READS_HINT: the map, of which only the names of its fields count */
};

struct reads_read {
    struct reads_question question;
    struct str answer; /* bytes */
    bool has_object;   /* it was the first one to mention an object, which has the next number */
};

/* Names of a type: its own, then three for each of its requests. */
enum reads_name { READS_KIND, READS_API_VERSION, READS_GROUP, READS_VERSION, READS_OF_REQUESTS };
/* The name of a subresource: types of which it differs are never alike. */
#define READS_ALIKE SIZE_MAX

enum reads_name_of_request {
    READS_REQUEST_GROUP,
    READS_REQUEST_VERSION,
    READS_RESOURCE,
    READS_REQUEST_NAMES
};

/* More is not noted: `is_lost`. */
enum { READS_MAX = 400, READS_OBJECTS_MAX = 200, READS_NAMED_MAX = 64, READS_TEXTS_MAX = 16 };

struct literal;

/* A constant of the activation at hand that is a name of the type. */
struct reads_named {
    const struct literal *values;
    uint32_t number;
};

struct reads {
    struct arena *arena;
    reads_name_of *name_of;
    const void *type; /* for name_of */
    struct reads_read *list;
    size_t count, cap;
    const struct type *objects[READS_OBJECTS_MAX]; /* by number */
    uint32_t object_count, objects_before;         /* before the answer under way */
    struct reads_named named[READS_NAMED_MAX];
    size_t named_count;
    const struct str
        *tests; /* literals with which the name that is read next is compared, and nothing else */
    size_t test_count;
    uint32_t texts[READS_TEXTS_MAX]; /* the object types whose names are in some message */
    size_t text_count;
    unsigned paused; /* questions in the meantime are a part of one question */
    bool is_lost;
    struct text answer; /* under way */
};

/* Everything lies in `a`. Object 0 is the next one that an answer mentions. */
void reads_begin(struct reads *reads, struct arena *a, reads_name_of *name_of, const void *type);
/* The description of a root, which then has a number. The text is valid until the next answer. */
struct str reads_root(struct reads *reads, const struct type *root);

static inline void reads_pause(struct reads *reads)
{
    if (reads != NULL)
        reads->paused++;
}
static inline void reads_resume(struct reads *reads)
{
    if (reads != NULL)
        reads->paused--;
}
static inline bool reads_is_on(const struct reads *reads)
{
    return reads != NULL && reads->paused == 0 && !reads->is_lost;
}

/* Notes an answer of an object type. */
void reads_field(struct reads *reads, const struct type *object, struct str name, const struct type *field);
void reads_entry(struct reads *reads, const struct type *object, struct reads_question question,
                 bool is_there, struct str name, const struct object_entry *entry);
void reads_is_given(struct reads *reads, const struct type *object, struct str name, bool is_given);
void reads_name(struct reads *reads, const struct type *object, size_t index, bool is_there, struct str name);
/* A message has the name of the object type; it counts once a message is reported: reads_report. */
void reads_text(struct reads *reads, const struct type *object);
void reads_report(struct reads *reads);

/* Names of the type. An activation forgets them when it begins, and adds each of its constants that is such a
 * name. reads_value notes that a constant is read, if it is a name; reads_resources that the names of the
 * resources of all requests are read. */
void reads_forget_names(struct reads *reads);
void reads_add_name(struct reads *reads, const struct literal *values, uint32_t number);
void reads_value(struct reads *reads, const struct literal *values);
void reads_resources(struct reads *reads, size_t request_count);

/* The number of the object type; READS_OBJECTS_MAX: it has none. */
uint32_t reads_number(const struct reads *reads, const struct type *object);

/* Notes what was meant; map: its type is an object type. */
void reads_hint(struct reads *reads, const struct absmap *map, const struct type *object, struct str field,
                const struct hint_change *change, bool is_of_pods);

/*
 * Answers a question of another type's check for the type at hand; the object that it asks has its number.
 * The text is valid until the next answer. The caller pauses the reads, and gives numbers to the objects that
 * answers mention (reads_object). READS_HINT is not allowed here: reads_hint_answer makes the answer from the
 * hint's change.
 */
struct str reads_answer(struct reads *reads, struct types *ts, const struct reads_question *question);
/* The object type that the answer of such an object mentions; NULL: none. An answer mentions one at most. */
const struct type *reads_object(const struct type *object, struct types *ts,
                                const struct reads_question *question);
struct str reads_hint_answer(struct reads *reads, const struct hint_change *change, bool is_of_pods);

#endif
