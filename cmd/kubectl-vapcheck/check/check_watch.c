#include "cmd/kubectl-vapcheck/check/check_watch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "client/base/file.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/base/timer.h"
#include "cmd/kubectl-vapcheck/check/baseline.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"

/* An editor changes a file in several steps: after the first the check waits so long for the others. The
 * output is kept in memory up to so many bytes, so that the screen changes at once. */
enum { SETTLE_MS = 10, BUFFER_BYTES = 1024 * 1024 };

static const char clear_screen[] = "\x1b[H\x1b[2J\x1b[3J";

struct watch {
    const struct options *options;
    void (*check)(void *user, const struct inputs *inputs);
    void *user;
    uv_loop_t loop;
    uv_timer_t settled;
    struct keymap directories; /* that are watched: their uv_fs_event_t */
    struct err err;            /* why no more can be watched */
};

/* ---- what is watched ---- */

/* Returns true if a change of the name in the directory may change the answer. Our own output must not, if it
 * goes to a file there. */
static bool matters(uv_fs_event_t *handle, const char *name)
{
    char directory[PATH_MAX];
    size_t len = sizeof directory;
    struct stat st;
    if (name == NULL || inputs_is_manifest(name) || uv_fs_event_getpath(handle, directory, &len) != 0)
        return true;
    cleanup_mem char *path = mem_printf("%s/%s", directory, name);
    return stat(path, &st) != 0 || S_ISDIR(st.st_mode);
}

static void on_settled(uv_timer_t *timer);

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct watch *w = handle->data;
    (void)events, (void)status;
    if (!uv_is_active((uv_handle_t *)&w->settled) && matters(handle, name))
        timer_start(&w->settled, on_settled, SETTLE_MS, 0);
}

/* Returns whether it is watched only now. */
static bool watch_directory(struct watch *w, const char *directory)
{
    if (w->err.code != ERR_NONE || keymap_get(&w->directories, directory) != NULL)
        return false;
    uv_fs_event_t *handle = mem_zalloc(sizeof *handle);
    int failed = uv_fs_event_init(&w->loop, handle);
    handle->data = w;
    if (failed == 0)
        failed = uv_fs_event_start(handle, on_event, directory, 0);
    keymap_put(&w->directories, directory, handle);
    if (failed != 0)
        (void)err_set(&w->err, ERR_INTERNAL, "%s cannot be watched: %s", directory, uv_strerror(failed));
    return true;
}

/* Returns whether a directory was not watched before: then what is in it may have changed since it was
 * listed. */
static bool watch_inputs(struct watch *w, const struct inputs *inputs)
{
    bool is_new = false;
    for (size_t i = 0; i < inputs->n_directories; i++)
        is_new = watch_directory(w, inputs->directories[i]) || is_new;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct input *input = &inputs->items[i];
        if (input->text != NULL || input->problem != NULL)
            continue;
        cleanup_mem char *directory = file_directory(input->name);
        is_new = watch_directory(w, directory) || is_new;
    }
    return is_new;
}

/* ---- a run ---- */

static int list_inputs(struct watch *w, struct inputs *inputs, struct err *err)
{
    if (check_open_inputs(w->options, inputs, err) != 0)
        return -1;
    if (!watch_inputs(w, inputs))
        return 0;
    inputs_deinit(inputs);
    *inputs = (struct inputs){0};
    return check_open_inputs(w->options, inputs, err);
}

static void print_end(const struct watch *w, const struct inputs *inputs)
{
    if (!w->options->style.is_quiet)
        print_line(stdout, "Watching %zu file%s. Ctrl-C ends.", inputs->count, inputs->count == 1 ? "" : "s");
    if (isatty(STDOUT_FILENO))
        (void)!write(STDOUT_FILENO, clear_screen, sizeof clear_screen - 1);
    (void)fflush(stderr);
    (void)fflush(stdout);
}

static int run(struct watch *w, struct err *err)
{
    struct inputs inputs = {0};
    const int answer = list_inputs(w, &inputs, err);
    if (w->options->baseline != NULL)
        baseline_restart(w->options->baseline);
    if (answer == 0) {
        w->check(w->user, &inputs);
        print_end(w, &inputs);
    }
    inputs_deinit(&inputs);
    return answer;
}

static void on_settled(uv_timer_t *timer)
{
    struct watch *w = timer->data;
    struct err err = {0};
    if (run(w, &err) != 0)
        print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
    (void)fflush(stderr);
    if (w->err.code != ERR_NONE)
        uv_stop(&w->loop);
}

static void close_handle(uv_handle_t *handle, void *user)
{
    (void)user;
    uv_close(handle, NULL);
}

static void deinit(struct watch *w)
{
    uv_walk(&w->loop, close_handle, NULL);
    (void)uv_run(&w->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&w->loop);
    keymap_deinit(&w->directories, mem_free);
}

int check_watch(const struct options *o, void (*check)(void *user, const struct inputs *inputs), void *user)
{
    struct watch w = {.options = o, .check = check, .user = user};
    if (uv_loop_init(&w.loop) != 0)
        return 2;
    (void)uv_timer_init(&w.loop, &w.settled);
    w.settled.data = &w;
    (void)setvbuf(stdout, NULL, _IOFBF, BUFFER_BYTES);
    (void)setvbuf(stderr, NULL, _IOFBF, BUFFER_BYTES);
    if (run(&w, &w.err) == 0 && w.err.code == ERR_NONE)
        (void)uv_run(&w.loop, UV_RUN_DEFAULT);
    print_line(stderr, "kubectl-vapcheck check: %s", w.err.msg);
    (void)fflush(stderr);
    deinit(&w);
    return 2;
}
