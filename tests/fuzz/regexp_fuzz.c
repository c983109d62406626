#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/regexp.h"

#define BUDGET ((size_t)64 << 20)

/* Judges the pattern with so much memory; an invalid one has a message that starts as Go's do. */
static enum arena_failure judge(struct str pattern, size_t budget, bool *valid)
{
    struct arena a;
    arena_init(&a, budget);
    if (setjmp(a.escape) == 0) {
        struct str message;
        *valid = regexp_valid(&a, pattern, UNICODE_15, &message);
        if (!*valid && !str_has_prefix(message, STR("error parsing regexp: ")))
            abort();
    }
    enum arena_failure failure = a.failure;
    arena_deinit(&a);
    return failure;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str pattern = {(const char *)data, size};
    bool valid = false, again = false;
    if (judge(pattern, BUDGET, &valid) != ARENA_OK)
        abort();
    /* Too little memory is noticed, and changes no judgement. */
    if (judge(pattern, 64 * size, &again) == ARENA_OK && again != valid)
        abort();
    return 0;
}
