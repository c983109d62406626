#include "bytes/hash.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t process_key[2];

/* Runs before main, so that nobody asks earlier. If the system has no random
 * bytes, the key is made of addresses alone, which the system chose. */
__attribute__((constructor)) static void draw_key(void)
{
    if (getentropy(process_key, sizeof process_key) != 0) {
        process_key[0] = (uintptr_t)process_key;
        process_key[1] = (uintptr_t)__builtin_frame_address(0);
    }
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* inline: else each round passes its state through memory, and short keys cost several times as much */
static inline __attribute__((always_inline)) void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

/* A whole word, little endian. */
static uint64_t read_whole(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

/* A half, little endian. */
static uint64_t read_half(const char *bytes)
{
    uint32_t half;
    memcpy(&half, bytes, sizeof half);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(half) : half;
}

/* Fewer than 8 bytes but at least one, little endian. Reads that overlap agree where they do: no loop. */
static uint64_t read_rest(const char *bytes, size_t len)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (len >= sizeof(uint32_t))
        return read_half(bytes) | read_half(bytes + len - sizeof(uint32_t)) << (8 * (len - sizeof(uint32_t)));
    return b[0] | (uint64_t)b[len / 2] << (8 * (len / 2)) | (uint64_t)b[len - 1] << (8 * (len - 1));
}

static inline __attribute__((always_inline)) void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v);
    v[0] ^= word;
}

/* https://www.aumasson.jp/siphash/siphash.pdf: one round a word, three at the end */
uint64_t hash_with_key(const uint64_t key[2], const char *text, size_t len)
{
    enum { WORD = 8, LAST_ROUNDS = 3 };
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
                     key[1] ^ 0x7465646279746573u};
    const size_t whole = len - len % WORD;
    for (size_t at = 0; at < whole; at += WORD)
        take_word(v, read_whole(text + at));
    const uint64_t rest = whole < len ? read_rest(text + whole, len - whole) : 0;
    take_word(v, rest | (uint64_t)len << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < LAST_ROUNDS; i++)
        mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t hash_text(const char *text, size_t len)
{
    return hash_with_key(process_key, text, len);
}
