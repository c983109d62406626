#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/golang/duration.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    /* The shortest is "0"; all end in it or in a unit. */
    if (duration_valid(text) && (size == 0 || strchr("0smh", data[size - 1]) == NULL))
        abort();
    return 0;
}
