#include "typecheck/cel/schema/valid_fields.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/type.h"

/* Each table takes its own rows of the file, and passes over the others. */
#define ENUMERATION(type, field, words)
#define BELOW(holder, type, field, words)
#define RANGE(type, field, min, max)
#define ITEMS(type, field, least)
#define SPELLING(type, field, spelling)
#define KEYS(type, field, spelling)
#define LOOSE(holder, type, since)
#define ROOT(api_version, kind)

static const struct enumeration enumerations[] = {
#undef ENUMERATION
#undef BELOW
#define ENUMERATION(type, field, words) {STR_INIT(type), STR_INIT(field), STR_INIT(words), STR_INIT("")},
#define BELOW(holder, type, field, words)                                                                    \
    {STR_INIT(type), STR_INIT(field), STR_INIT(words), STR_INIT(holder)},
#include "typecheck/cel/schema/valid_fields.def"
#undef ENUMERATION
#undef BELOW
#define ENUMERATION(type, field, words)
#define BELOW(holder, type, field, words)
};

static const struct {
    struct str type, field;
    struct type_range range;
} ranges[] = {
#undef RANGE
#undef ITEMS
#define RANGE(type, field, min, max) {STR_INIT(type), STR_INIT(field), {STR_INIT(field), min, max, false}},
#define ITEMS(type, field, least)                                                                            \
    {STR_INIT(type), STR_INIT(field), {STR_INIT(field), least, INT64_MAX, true}},
#include "typecheck/cel/schema/valid_fields.def"
#undef RANGE
#undef ITEMS
#define RANGE(type, field, min, max)
#define ITEMS(type, field, least)
};

/* In the order of the types. */
static const struct spelling_row {
    struct str type, field;
    enum spelling spelling;
} spellings[] =
    {
#undef SPELLING
#define SPELLING(type, field, spelling) {STR_INIT(type), STR_INIT(field), SPELLING_##spelling},
#include "typecheck/cel/schema/valid_fields.def"
#undef SPELLING
#define SPELLING(type, field, spelling)
},
  key_spellings[] = {
#undef KEYS
#define KEYS(type, field, spelling) {STR_INIT(type), STR_INIT(field), SPELLING_##spelling},
#include "typecheck/cel/schema/valid_fields.def"
#undef KEYS
#define KEYS(type, field, spelling)
};

static const struct {
    struct str holder, type;
    int since;
} loose[] = {
#undef LOOSE
#define LOOSE(holder, type, since) {STR_INIT(holder), STR_INIT(type), since},
#include "typecheck/cel/schema/valid_fields.def"
#undef LOOSE
#define LOOSE(holder, type, since)
};

static const struct {
    struct str api_version, kind;
} roots[] = {
#undef ROOT
#define ROOT(api_version, kind) {STR_INIT(api_version), STR_INIT(kind)},
#include "typecheck/cel/schema/valid_fields.def"
};

static bool is_api_version(struct str api_version, struct str group, struct str version)
{
    if (group.len == 0)
        return str_eq(api_version, version);
    return api_version.len == group.len + 1 + version.len && str_has_prefix(api_version, group) &&
           api_version.at[group.len] == '/' && str_has_suffix(api_version, version);
}

bool valid_fields_has_root(struct str group, struct str version, struct str kind)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (str_eq(roots[i].kind, kind) && is_api_version(roots[i].api_version, group, version))
            return true;
    }
    return false;
}

/* The name of the Go type; empty: it is not one of Kubernetes' API. */
static struct str go_type(struct str component)
{
    static const struct str packages[] = {STR_INIT("io.k8s.api."), STR_INIT("io.k8s.apimachinery.pkg.apis."),
                                          STR_INIT("io.k8s.apiextensions-apiserver.pkg.apis.")};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (str_has_prefix(component, packages[i]))
            return str_skip(component, packages[i].len);
    }
    return STR("");
}

/* holder: empty, or a Go type. */
static const struct enumeration *find(struct str holder, struct str type, struct str field)
{
    for (size_t i = 0; type.len != 0 && i < sizeof enumerations / sizeof *enumerations; i++) {
        const struct enumeration *e = &enumerations[i];
        if (str_eq(e->field, field) && str_eq(e->type, type) && str_eq(e->holder, holder))
            return e;
    }
    return NULL;
}

const struct enumeration *valid_fields_enumeration(struct str component, struct str field)
{
    return find(STR(""), go_type(component), field);
}

const struct enumeration *valid_fields_enumeration_below(struct str holder, struct str component,
                                                         struct str field)
{
    const struct str of = go_type(holder);
    return of.len == 0 ? NULL : find(of, go_type(component), field);
}

/* The number at the end of "word@35" or "word@-34", of which `*word` then is only the word; 0: there is
 * none. */
static int cut_release(struct str *word)
{
    const size_t at = str_find_last(*word, '@');
    if (at == SIZE_MAX)
        return 0;
    struct str digits = str_skip(*word, at + 1);
    const bool is_last = digits.at[0] == '-';
    int release = 0;
    if (is_last)
        digits = str_skip(digits, 1);
    for (size_t i = 0; i < digits.len; i++)
        release = 10 * release + (digits.at[i] - '0');
    word->len = at;
    return is_last ? -release : release;
}

/* Returns true if the release has the word, which loses what says so. */
static bool has_word(struct str *word, int minor)
{
    bool has = true;
    for (int release; (release = cut_release(word)) != 0;)
        has = has && (release > 0 ? minor >= release : minor <= -release);
    return has;
}

static int release_of(int minor)
{
    return minor == 0 ? FEATURES_NEWEST_RELEASED_KUBERNETES : minor;
}

const struct type_words *valid_fields_words(struct arena *a, const struct enumeration *e, int minor)
{
    size_t most = 1;
    for (size_t i = 0; i < e->words.len; i++)
        most += e->words.at[i] == '|';
    struct str *list = ARENA_ARRAY(a, most, struct str);
    struct type_words *words = ARENA_NEW(a, struct type_words);
    const int release = release_of(minor);
    size_t others = 0;
    struct str rest = e->words, word;
    *words = (struct type_words){.what = e->field, .list = list};
    for (size_t i = 0; i < most; i++) {
        str_cut(&rest, '|', &word);
        if (has_word(&word, release))
            list[words->count++] = str_copy(a, word);
        else
            list[most - ++others] = str_copy(a, word);
    }
    words->other_count = others;
    return words;
}

const struct type_range *valid_fields_range(struct str component, struct str field)
{
    const struct str type = go_type(component);
    for (size_t i = 0; type.len != 0 && i < sizeof ranges / sizeof *ranges; i++) {
        if (str_eq(ranges[i].field, field) && str_eq(ranges[i].type, type))
            return &ranges[i].range;
    }
    return NULL;
}

static enum spelling find_spelling(const struct spelling_row *rows, size_t count, struct str type,
                                   struct str field)
{
    size_t low = 0, high = count;
    while (low < high) { /* the first row of the type */
        const size_t middle = low + (high - low) / 2;
        if (str_cmp(rows[middle].type, type) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && str_eq(rows[low].type, type); low++) {
        if (str_eq(rows[low].field, field))
            return rows[low].spelling;
    }
    return SPELLING_ANY;
}

enum spelling valid_fields_spelling(struct str component, struct str field, bool of_keys)
{
    const struct str type = go_type(component);
    if (type.len == 0)
        return SPELLING_ANY;
    return of_keys ? find_spelling(key_spellings, sizeof key_spellings / sizeof *key_spellings, type, field)
                   : find_spelling(spellings, sizeof spellings / sizeof *spellings, type, field);
}

enum valid_fields_part valid_fields_part_of(struct str holder, struct str component, int minor)
{
    const struct str of = go_type(holder), type = go_type(component);
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        if (str_eq(loose[i].type, type) && str_eq(loose[i].holder, of))
            return release_of(minor) < loose[i].since ? VALID_FIELDS_NONE : VALID_FIELDS_ENUMERATIONS;
    }
    return VALID_FIELDS_ALL;
}
