/* Runs a fuzz target over its corpus, without a fuzzer: each file of a directory, and each prefix of it. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

#define MAX_INPUT_BYTES 65536

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

static int replay_file(const char *directory, const char *name)
{
    static uint8_t data[MAX_INPUT_BYTES];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    replay_prefixes(data, size);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 2;
    }
    DIR *directory = opendir(argv[1]);
    if (directory == NULL) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    int files = 0, failed = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        files++;
        failed += replay_file(argv[1], entry->d_name) != 0;
    }
    closedir(directory);
    printf("%d inputs\n", files);
    return files == 0 || failed != 0;
}
