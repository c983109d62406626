/* Runs a fuzz target over its inputs, without a fuzzer: each input of data/TARGET.inputs, and each prefix of
 * it. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_INPUT_BYTES = 65536, MAX_NAME_BYTES = 100 };

/* The prefixes lie at the end of a heap block, so that the sanitizer sees what reads past them. */
static void replay_prefixes(const uint8_t *data, size_t size)
{
    for (size_t len = 0; len <= size; len++) {
        uint8_t *exact = malloc(len == 0 ? 1 : len);
        if (exact == NULL)
            abort();
        memcpy(exact, data, len);
        LLVMFuzzerTestOneInput(exact, len);
        free(exact);
    }
}

enum next { NEXT_INPUT, NEXT_END, NEXT_BROKEN };

/* An input is a line with its length and its name, its bytes, and a line end. */
static enum next replay_next(FILE *file)
{
    static uint8_t data[MAX_INPUT_BYTES + 1];
    char line[MAX_NAME_BYTES], *behind;
    if (fgets(line, sizeof line, file) == NULL)
        return NEXT_END;
    const unsigned long size = strtoul(line, &behind, 10);
    if (behind == line || *behind != ' ' || size > MAX_INPUT_BYTES ||
        fread(data, 1, size + 1, file) != size + 1 || data[size] != '\n') {
        fprintf(stderr, "this is no input: %s", line);
        return NEXT_BROKEN;
    }
    replay_prefixes(data, size);
    return NEXT_INPUT;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s INPUTS\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    int count = 0;
    enum next next;
    while ((next = replay_next(file)) == NEXT_INPUT)
        count++;
    fclose(file);
    printf("%d inputs\n", count);
    return count == 0 || next == NEXT_BROKEN;
}
