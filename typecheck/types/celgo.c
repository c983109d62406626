#include "typecheck/types/celgo.h"

#include <stddef.h>

/* Since which release of cel-go. */
enum {
    HAS_OPTIONAL_TYPE = 19,
    VALIDATES_FORMATS = 20,
    COPIES_TARGETS = 21,
    ALLOWS_LARGE_INDICES = 22,
    PRICES_OWN_TYPES = 22,
    STARTS_LAZILY = 22,
    NAMES_DECLARED_TYPES = 22,
    CONTAINS_RANGES = 23,
    TRACKS_VARIABLES = 23,
    SEARCHES_EMPTY_TEXTS = 26,
    HAS_SCOPES = 27,
    MAKES_TYPES_ONLY = 27,
    HAS_BACKQUOTES = 28,
    HAS_TYPED_OPTIONALS = 28,
    OR_NEEDS_OPTIONAL = 28,
    PRICES_GLOBAL_MATCHES = 29,
    PRICES_AFFIXES = 29,
    BOUNDS_INDICES = 29,
    BOUNDS_LEVELS = 29,
    BOUNDS_RANGES = 29,
    KEEPS_OPTIONALS = 29,
};

/* From which Kubernetes on which cel-go: k8s.io/apiserver's go.mod. The newest comes last. */
static const struct {
    int kubernetes, release;
} BUILT_WITH[] = {{30, 17}, {31, 20}, {32, 22}, {33, 23}, {34, 26}, {37, 29}};

/* Overloads that a release no longer has, whatever the level. */
static const struct {
    struct str id;
    int release;
} GONE[] = {{STR_INIT("int64_to_duration"), 29}};

struct celgo celgo_of(int release)
{
    return (struct celgo){
        .release = release,
        .copies_targets = release >= COPIES_TARGETS,
        .has_optional_type = release >= HAS_OPTIONAL_TYPE,
        .validates_formats = release >= VALIDATES_FORMATS,
        .has_scopes = release >= HAS_SCOPES,
        .makes_types_only = release >= MAKES_TYPES_ONLY,
        .has_backquotes = release >= HAS_BACKQUOTES,
        .has_typed_optionals = release >= HAS_TYPED_OPTIONALS,
        .or_needs_optional = release >= OR_NEEDS_OPTIONAL,
        .tracks_variables = release >= TRACKS_VARIABLES,
        .prices_own_types = release >= PRICES_OWN_TYPES,
        .names_declared_types = release >= NAMES_DECLARED_TYPES,
        .prices_global_matches = release >= PRICES_GLOBAL_MATCHES,
        .prices_affixes = release >= PRICES_AFFIXES,
        .starts_lazily = release >= STARTS_LAZILY,
        .searches_empty_texts = release >= SEARCHES_EMPTY_TEXTS,
        .contains_ranges = release >= CONTAINS_RANGES,
        .allows_large_indices = release >= ALLOWS_LARGE_INDICES,
        .bounds_indices = release >= BOUNDS_INDICES,
        .bounds_levels = release >= BOUNDS_LEVELS,
        .bounds_ranges = release >= BOUNDS_RANGES,
        .keeps_optionals = release >= KEEPS_OPTIONALS,
    };
}

struct celgo celgo_in(int minor)
{
    int release = BUILT_WITH[0].release;
    for (size_t i = 0; i < sizeof BUILT_WITH / sizeof *BUILT_WITH; i++) {
        if (BUILT_WITH[i].kubernetes <= minor)
            release = BUILT_WITH[i].release;
    }
    return celgo_of(release);
}

bool celgo_has_overload(const struct celgo *celgo, struct str id)
{
    for (size_t i = 0; i < sizeof GONE / sizeof *GONE; i++) {
        if (celgo->release >= GONE[i].release && str_eq(GONE[i].id, id))
            return false;
    }
    return true;
}
