/*
 * progress: a line on the terminal that says how far the work is.
 *
 * It is printed to stderr, only if that is a terminal, and only once the work has
 * taken a while. progress_end removes the line.
 *
 *     struct progress p;
 *     progress_init(&p, "files", total);
 *     for (...) progress_step(&p);
 *     progress_end(&p);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_PROGRESS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_QUIET_MS = 300, PROGRESS_PERIOD_MS = 100 };

struct progress {
    const char *what;
    size_t total, done;
    bool is_terminal, is_shown;
    uint64_t next_ms; /* when to print */
};

void progress_init(struct progress *p, const char *what, size_t total);
void progress_step(struct progress *p);
/* To be called before anything else is printed. */
void progress_end(struct progress *p);

#endif
