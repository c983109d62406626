#include "typecheck/policy/abstract/names.h"

#include <ctype.h>
#include <strings.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"

#define FIRST_JUDGED 16u
#define FIRST_WORDS  64u
/* Words that one step of the budget pays for, when they are compared with a constant. */
#define WORDS_PER_STEP 4u
/* A look through all that is known. */
#define STEPS_OF_ASKING 200u

/* Says how near a constant is to a word; the nearer, the less. */
enum nearness { NEAR_CASE, NEAR_NUMBER, NEAR_OTHER, NEAR_EDIT, NEAR_NOT };

/* ---- the words ---- */

static void add(struct names *n, enum policy_name sort, struct str word, struct str other)
{
    const size_t count = n->counts[sort];
    const struct names_word *last = count == 0 ? NULL : &n->words[sort][count - 1];
    if (last != NULL && str_eq(last->word, word) && str_eq(last->other, other))
        return;
    ARENA_ROOM(n->arena, n->words[sort], count, n->caps[sort], FIRST_WORDS);
    n->words[sort][n->counts[sort]++] = (struct names_word){word, other};
}

static struct str joined(struct names *n, struct str group, struct str version)
{
    return str_join(n->arena, STR_PARTS(group, STR("/"), version));
}

/* The core group has no name, and many people call it core. Types of one group mostly follow each other. */
static void add_group(struct names *n, enum policy_name sort, struct str group, struct str version)
{
    if (n->has_group && str_eq(n->group, group) && str_eq(n->version, version))
        return;
    n->has_group = true;
    n->group = group;
    n->version = version;
    const bool is_core = group.len == 0;
    const struct str named = joined(n, is_core ? STR("core") : group, version);
    if (sort == POLICY_GROUP) {
        add(n, sort, group, is_core ? version : named);
        add(n, sort, group, is_core ? STR("core") : named);
    } else if (sort == POLICY_VERSION) {
        add(n, sort, version, named);
    } else {
        add(n, sort, is_core ? version : named, is_core ? STR("core") : group);
        add(n, sort, is_core ? version : named, named);
    }
}

static void add_request(struct names *n, enum policy_name sort, const struct policy_type *t,
                        const struct policy_request *r)
{
    if (sort == POLICY_RESOURCE)
        add(n, sort, r->resource, t->kind);
    else if (sort != POLICY_SUBRESOURCE)
        add_group(n, sort, r->group, r->version);
    else if (r->subresource.len != 0)
        add(n, sort, r->subresource, joined(n, r->resource, r->subresource));
}

static void add_type(struct names *n, enum policy_name sort, const struct policy_type *t)
{
    const bool is_of_requests = sort == POLICY_RESOURCE || sort == POLICY_SUBRESOURCE;
    if (sort == POLICY_KIND)
        add(n, sort, t->kind, t->request_count == 0 ? STR("") : t->requests[0].resource);
    else if (!is_of_requests)
        add_group(n, sort, t->group, t->version);
    for (size_t i = 0; sort != POLICY_KIND && i < t->request_count; i++)
        add_request(n, sort, t, &t->requests[i]);
}

/* Most policies compare no name with a constant, and others names of one sort. */
static void list_words(struct names *n, enum policy_name sort)
{
    size_t most = n->type_count;
    if (n->is_listed[sort])
        return;
    for (size_t i = 0; i < n->type_count; i++)
        most += n->types[i].request_count;
    n->counts[sort] = 0;
    n->has_group = false;
    arena_pay(n->arena, most);
    for (size_t i = 0; i < n->type_count; i++)
        add_type(n, sort, &n->types[i]);
    n->is_listed[sort] = true;
}

static bool judge(void *user, unsigned sort, enum abswords_test test, struct str text, struct str *meant)
{
    return test == ABSWORDS_IS && names_is_slip(user, (enum policy_name)sort, text, meant);
}

/* Returns true if the text is a name that only known types have. Any kind can be in a group, or have a
 * version. */
static bool judge_stranger(void *user, unsigned sort, enum abswords_test test, struct str text,
                           struct str *meant)
{
    struct names *n = user;
    const bool is_asked = test == ABSWORDS_IS && (sort == POLICY_KIND || sort == POLICY_RESOURCE);
    bool is_known = false;
    *meant = text;
    list_words(n, (enum policy_name)sort);
    arena_pay(n->arena, n->counts[sort] / WORDS_PER_STEP);
    for (size_t i = 0; is_asked && !is_known && i < n->counts[sort]; i++)
        is_known = str_eq(n->words[sort][i].word, text);
    return is_known;
}

void names_init(struct names *names, struct arena *a, const struct policy_type *types, size_t type_count,
                policy_has_name *has_name, void *user)
{
    static const struct str what[] = {
        [POLICY_KIND] = STR_INIT("kind"),         [POLICY_GROUP] = STR_INIT("group"),
        [POLICY_VERSION] = STR_INIT("version"),   [POLICY_API_VERSION] = STR_INIT("apiVersion"),
        [POLICY_RESOURCE] = STR_INIT("resource"), [POLICY_SUBRESOURCE] = STR_INIT("subresource"),
    };
    *names = (struct names){
        .arena = a, .types = types, .type_count = type_count, .has_name = has_name, .user = user};
    for (size_t sort = 0; sort < POLICY_NAMES; sort++) {
        names->sets[sort] =
            (struct abswords){.what = what[sort], .judge = judge, .user = names, .sort = (unsigned)sort};
        names->strangers[sort] = names->sets[sort];
        names->strangers[sort].judge = judge_stranger;
        names->strangers[sort].is_stranger = true;
    }
}

/* ---- what is near ---- */

static bool is_same_letters(struct str one, struct str two)
{
    return one.len == two.len && strncasecmp(one.at, two.at, one.len) == 0;
}

enum { SINGULAR_SHORTER = 2 };

/* A name in small letters, of one thing: "policies" is "policy". It is at most SINGULAR_SHORTER bytes
 * shorter. `room` has SUGGEST_NAME_BYTES + 1. */
static struct str singular(struct str name, char *room)
{
    size_t len = 0;
    for (; len < name.len; len++)
        room[len] = (char)tolower((unsigned char)name.at[len]);
    struct str one = {room, len};
    if (str_has_suffix(one, STR("ies"))) {
        one.len -= 2;
        room[one.len - 1] = 'y';
    } else if (str_has_suffix(one, STR("sses")) || str_has_suffix(one, STR("xes")) ||
               str_has_suffix(one, STR("ches")) || str_has_suffix(one, STR("shes"))) {
        one.len -= 2;
    } else if (str_has_suffix(one, STR("s")) && !str_has_suffix(one, STR("ss"))) {
        one.len -= 1;
    }
    return one;
}

/* v1 is not a slip of v2. */
static bool differs_in_digits(struct str one, struct str two)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < one.len && str_is_digit(one.at[i]))
            i++;
        while (j < two.len && str_is_digit(two.at[j]))
            j++;
        if (i == one.len || j == two.len)
            return i == one.len && j == two.len;
        if (one.at[i] != two.at[j])
            return false;
    }
}

/* One edit makes a shorter name into any other one. */
enum { EDITED_MIN_BYTES = 3 };

static bool is_one_edit(struct str one, struct str two)
{
    return one.len >= EDITED_MIN_BYTES && two.len >= EDITED_MIN_BYTES && one.len <= two.len + 1 &&
           two.len <= one.len + 1 && !differs_in_digits(one, two) && suggest_distance(one, two, 1) <= 1;
}

static bool has_number(enum policy_name sort)
{
    return sort == POLICY_KIND || sort == POLICY_RESOURCE;
}

/* Returns true if the lengths alone show that no two forms of the names are one edit apart. */
static bool is_far(struct str word, struct str text)
{
    return word.len > text.len + SINGULAR_SHORTER + 1 || text.len > word.len + SINGULAR_SHORTER + 1;
}

static enum nearness nearness_of(enum policy_name sort, const struct names_word *w, struct str text)
{
    char rooms[3][SUGGEST_NAME_BYTES + 1];
    if (w->word.len > SUGGEST_NAME_BYTES || w->other.len > SUGGEST_NAME_BYTES ||
        (is_far(w->word, text) && is_far(w->other, text)))
        return NEAR_NOT;
    if (is_same_letters(w->word, text))
        return NEAR_CASE;
    const struct str one = singular(text, rooms[0]), word = singular(w->word, rooms[1]);
    if (has_number(sort) && str_eq(one, word))
        return NEAR_NUMBER;
    const bool is_other = w->other.len != 0 && (has_number(sort) ? str_eq(one, singular(w->other, rooms[2]))
                                                                 : is_same_letters(text, w->other));
    if (is_other)
        return NEAR_OTHER;
    if (sort == POLICY_VERSION)
        return NEAR_NOT;
    const bool is_near =
        has_number(sort) ? is_one_edit(one, word)
                         : is_one_edit((struct str){rooms[0], text.len}, (struct str){rooms[1], w->word.len});
    return is_near ? NEAR_EDIT : NEAR_NOT;
}

/* Rules write pods/exec for what requests have in two names. */
static struct str without_subresource(enum policy_name sort, struct str text)
{
    struct str rest = text, resource;
    return sort == POLICY_RESOURCE && str_cut(&rest, '/', &resource) ? resource : text;
}

static bool find_meant(const struct names *n, enum policy_name sort, struct str text, struct str *meant)
{
    const struct str asked = without_subresource(sort, text);
    enum nearness nearest = NEAR_NOT;
    if (text.len == 0 || text.len > SUGGEST_NAME_BYTES)
        return false;
    for (size_t i = 0; i < n->counts[sort]; i++) {
        const struct names_word *w = &n->words[sort][i];
        if (str_eq(w->word, text))
            return false;
        const enum nearness near = str_eq(w->word, asked) ? NEAR_CASE : nearness_of(sort, w, asked);
        if (near < nearest) {
            nearest = near;
            *meant = w->word;
        }
    }
    return nearest != NEAR_NOT && (n->has_name == NULL || !n->has_name(n->user, sort, text));
}

/* ---- each once ---- */

static struct names_judged *find(const struct names *n, enum policy_name sort, struct str text)
{
    size_t i = (str_hash(text) + (size_t)sort) & (n->judged_cap - 1);
    while (n->judged[i].text.at != NULL && (n->judged[i].sort != sort || !str_eq(n->judged[i].text, text)))
        i = (i + 1) & (n->judged_cap - 1);
    return &n->judged[i];
}

static void make_room(struct names *n)
{
    if (2 * (n->judged_count + 1) <= n->judged_cap)
        return;
    struct names grown = *n;
    grown.judged_cap = n->judged_cap == 0 ? FIRST_JUDGED : 2 * n->judged_cap;
    grown.judged = ARENA_ARRAY(n->arena, grown.judged_cap, struct names_judged);
    for (size_t i = 0; i < n->judged_cap; i++) {
        if (n->judged[i].text.at != NULL)
            *find(&grown, n->judged[i].sort, n->judged[i].text) = n->judged[i];
    }
    *n = grown;
}

bool names_is_slip(struct names *names, enum policy_name sort, struct str text, struct str *meant)
{
    arena_pay_hash(names->arena, text.len);
    make_room(names);
    struct names_judged *known = find(names, sort, text);
    if (known->text.at == NULL) {
        list_words(names, sort);
        struct names_judged judged = {.text = str_copy(names->arena, text), .sort = sort};
        arena_pay(names->arena, STEPS_OF_ASKING + names->counts[sort] / WORDS_PER_STEP);
        judged.is_slip = find_meant(names, sort, text, &judged.meant);
        *known = judged;
        names->judged_count++;
    }
    *meant = known->meant;
    return known->is_slip;
}
