#include "cmd/kubectl-vapcheck/output/progress.h"
#include "client/base/print.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_init(struct progress *p, const char *what, size_t total)
{
    *p = (struct progress){.what = what, .total = total, .is_terminal = isatty(STDERR_FILENO) == 1};
    p->next_ms = p->is_terminal ? now_ms() + PROGRESS_QUIET_MS : 0;
}

void progress_step(struct progress *p)
{
    p->done++;
    if (!p->is_terminal || now_ms() < p->next_ms)
        return;
    print_raw(stderr, "\r%zu of %zu %s", p->done, p->total, p->what);
    p->is_shown = true;
    p->next_ms = now_ms() + PROGRESS_PERIOD_MS;
}

void progress_end(struct progress *p)
{
    if (p->is_shown)
        print_raw(stderr, "\r\033[K");
    p->is_shown = false;
}
