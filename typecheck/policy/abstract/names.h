/*
 * names: the names that requests have (kinds, groups, resources ...), and which constants are slips of them.
 *
 * An author who compares object.kind with 'pods' means Pod. Such a constant is a slip if it nearly is the
 * name of a matched type (but for case, number or one edit, or the name of another sort), and no known type
 * has it. A name that some type has is never a slip, whether the policy matches the type or not.
 *
 *     names_init(&names, a, types, type_count, has_name, user);
 *     if (names_is_slip(&names, POLICY_KIND, STR("pods"), &meant)) ... // "Pod"
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_NAMES_H
#define TYPECHECK_POLICY_ABSTRACT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/policy/abstract/domain/absval_parts.h"
#include "typecheck/policy/compile/policy.h"

struct arena;

/* A name of a matched type. */
struct names_word {
    struct str word;
    struct str other; /* what is written instead of it: the resource for the kind; empty: nothing */
};

/* The verdict about a constant that was asked for. */
struct names_judged {
    struct str text; /* at NULL: the slot is free */
    enum policy_name sort;
    bool is_slip;
    struct str meant;
};

struct names {
    struct arena *arena; /* which also pays */
    const struct policy_type *types;
    size_t type_count;
    bool is_listed[POLICY_NAMES]; /* the words of all types are there */
    struct names_word *words[POLICY_NAMES];
    size_t counts[POLICY_NAMES], caps[POLICY_NAMES];
    bool has_group; /* the group and version whose words were added last */
    struct str group, version;
    struct abswords sets[POLICY_NAMES];      /* for abstract values */
    struct abswords strangers[POLICY_NAMES]; /* of types that nobody knows */
    /* Says if another type has a name; NULL if nobody knows other types. */
    policy_has_name *has_name;
    void *user;
    struct names_judged *judged; /* so far: open addressing, judged_cap is a power of two */
    size_t judged_count, judged_cap;
};

/* Everything lies in `a`; the types are borrowed. */
void names_init(struct names *names, struct arena *a, const struct policy_type *types, size_t type_count,
                policy_has_name *has_name, void *user);

/* Returns true if the text is a slip. Then *meant is the name that was probably meant. Each text is judged
 * once. */
bool names_is_slip(struct names *names, enum policy_name sort, struct str text, struct str *meant);

#endif
