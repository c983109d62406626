#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/golang/timestamp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    /* The shortest is "2006-01-02T3:04:05Z". */
    if (timestamp_valid(text) && (size < 19 || memchr(data, 'T', size) == NULL))
        abort();
    return 0;
}
