#include "cmd/kubectl-vapcheck/input/changed.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/input/subprocess.h"

enum { LIST_CAP_BYTES = 64 * 1024 * 1024 };

/* Adds the files that git lists, each ended by a NUL, relative to the top of the working tree. */
static int add_list(struct keymap *files, const char *top, const char *const *arguments, struct err *err)
{
    cleanup_buf struct buf list;
    buf_init(&list, LIST_CAP_BYTES);
    if (subprocess_run(arguments, &list, err) != 0)
        return -1;
    for (size_t at = 0; at < list.len; at += strlen(list.data + at) + 1) {
        cleanup_mem char *path = mem_printf("%s/%s", top, list.data + at);
        (void)keymap_add(files, path);
    }
    return 0;
}

static int read_changes(const char *revision, struct keymap *files, struct err *err)
{
    const char *const find_top[] = {"git", "rev-parse", "--show-toplevel", NULL};
    const char *const differing[] = {"git",          "diff",   "--name-only", "-z",
                                     "--merge-base", revision, "--",          NULL};
    const char *const unknown[] = {"git", "ls-files",    "--others", "--exclude-standard",
                                   "-z",  "--full-name", ":/",       NULL};
    cleanup_buf struct buf top;
    buf_init(&top, PATH_MAX);
    if (*revision == '-' || *revision == '\0')
        return err_set(err, ERR_INVALID, "--changed: \"%s\" is no revision", revision);
    if (subprocess_run(find_top, &top, err) != 0)
        return -1;
    top.data[strcspn(top.data, "\n")] = '\0';
    return add_list(files, top.data, differing, err) != 0 ? -1 : add_list(files, top.data, unknown, err);
}

int changed_mark(const char *revision, struct inputs *inputs, struct err *err)
{
    struct keymap files = {0};
    const int answer = read_changes(revision, &files, err);
    for (size_t i = 0; i < inputs->count && answer == 0; i++) {
        struct input *input = &inputs->items[i];
        char path[PATH_MAX];
        input->is_context = input->text == NULL && input->problem == NULL && strcmp(input->name, "-") != 0 &&
                            realpath(input->name, path) != NULL && keymap_get(&files, path) == NULL;
    }
    keymap_deinit(&files, NULL);
    return answer;
}
