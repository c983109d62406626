#include "bytes/hex.h"

bool hex_read(const char *digits, size_t count, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t digit = hex_digit(digits[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    return true;
}
