/* bench: what the programs that measure share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "client/base/err.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/text/yaml.h"

enum { BENCH_FILE_CAP_BYTES = 256 * 1024 * 1024 };

/* CPU time of this process. */
static inline double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The file's text, which the caller frees with mem_free; ends the program where there is none. */
static inline char *bench_read(const char *path, size_t *len)
{
    char *text;
    struct err err = {0};
    if (file_read(path, BENCH_FILE_CAP_BYTES, &text, len, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    return text;
}

/* Calls `take` with each object of a YAML file; ends the program where it is none. */
static inline void bench_each_object(const char *path, void (*take)(void *user, struct json_object *object),
                                     void *user)
{
    size_t len;
    struct yaml *yaml;
    struct err err = {0};
    char *text = bench_read(path, &len);
    if (yaml_parse(text, len, &yaml, NULL, &err) != 0) {
        fprintf(stderr, "%s: %s\n", path, err.msg);
        exit(2);
    }
    for (size_t i = 0; i < yaml_count(yaml); i++)
        take(user, yaml_root(yaml, i)->json);
    yaml_close(yaml);
    mem_free(text);
}

#endif
