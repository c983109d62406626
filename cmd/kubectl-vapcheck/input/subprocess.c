#include "cmd/kubectl-vapcheck/input/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/mem.h"
#include "client/base/platform.h"

extern char **environ;

enum { MESSAGE_CAP_BYTES = 4096, CHUNK_BYTES = 4096, ARGUMENTS_MAX = 15 };

/* Starts the program with nothing to read. Returns an errno. */
static int start(const char *const *arguments, const int *files, pid_t *pid)
{
    char *copies[ARGUMENTS_MAX + 1] = {NULL}; /* posix_spawn takes texts that are not constant */
    posix_spawn_file_actions_t actions;
    if (arguments[0] == NULL)
        return EINVAL;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    for (size_t i = 0; i < ARGUMENTS_MAX && arguments[i] != NULL; i++)
        copies[i] = mem_strdup(arguments[i]);
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < 2 && failed == 0; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, files[i], STDOUT_FILENO + i);
    if (failed == 0)
        failed = posix_spawnp(pid, arguments[0], &actions, NULL, copies, environ);
    posix_spawn_file_actions_destroy(&actions);
    for (size_t i = 0; i < ARGUMENTS_MAX; i++)
        mem_free(copies[i]);
    return failed;
}

/* All that was written to the file. */
static void read_all(int file, struct buf *text)
{
    char chunk[CHUNK_BYTES];
    ssize_t n;
    (void)lseek(file, 0, SEEK_SET);
    while (!text->is_full && (n = read(file, chunk, sizeof chunk)) > 0)
        (void)buf_append(text, chunk, (size_t)n);
}

static int take_output(const char *const *arguments, int status, const int *files, struct buf *text,
                       struct err *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        read_all(files[0], text);
        return text->is_full ? err_set(err, ERR_LIMIT, "%s %s writes more than %zu bytes", arguments[0],
                                       arguments[1], text->cap_bytes)
                             : 0;
    }
    cleanup_buf struct buf message;
    buf_init(&message, MESSAGE_CAP_BYTES);
    read_all(files[1], &message);
    const size_t len = strcspn(message.data, "\n");
    return err_set(err, ERR_INVALID, "%s %s: %.*s%s", arguments[0], arguments[1], (int)len, message.data,
                   len == 0 ? "failed without a message" : "");
}

/* Runs the program with its output in the files. */
static int run(const char *const *arguments, const int *files, struct buf *text, struct err *err)
{
    pid_t pid;
    int status;
    const int failed = start(arguments, files, &pid);
    if (failed != 0)
        return err_set(err, failed == ENOENT ? ERR_NOT_FOUND : ERR_INVALID, "%s: %s", arguments[0],
                       strerror(failed));
    while (waitpid(pid, &status, 0) == -1) {
        if (errno != EINTR)
            return err_set(err, ERR_INTERNAL, "%s: %s", arguments[0], strerror(errno));
    }
    return take_output(arguments, status, files, text, err);
}

int subprocess_run(const char *const *arguments, struct buf *text, struct err *err)
{
    const int files[] = {platform_unnamed_file("output"), platform_unnamed_file("message")};
    const int answer = files[0] == -1 || files[1] == -1
                           ? err_set(err, ERR_INTERNAL, "%s: %s", arguments[0], strerror(errno))
                           : run(arguments, files, text, err);
    for (int i = 0; i < 2; i++) {
        if (files[i] != -1)
            close(files[i]);
    }
    return answer;
}
