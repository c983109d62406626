#include "cmd/kubectl-vapcheck/input/kustomize.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/platform.h"

extern char **environ;

enum { MESSAGE_CAP_BYTES = 4096, CHUNK_BYTES = 4096 };

/* A program that makes it, and what comes before the directory. */
static const struct {
    const char *program, *command;
} programs[] = {{"kubectl", "kustomize"}, {"kustomize", "build"}};

/* Starts the program with nothing to read. Returns an errno. */
static int start(const char *program, const char *command, const char *directory, const int *files,
                 pid_t *pid)
{
    char name[16], verb[16], path[4096];
    char *const arguments[] = {name, verb, path, NULL};
    posix_spawn_file_actions_t actions;
    if (strlen(directory) >= sizeof path)
        return ENAMETOOLONG;
    memcpy(name, program, strlen(program) + 1);
    memcpy(verb, command, strlen(command) + 1);
    memcpy(path, directory, strlen(directory) + 1);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < 2 && failed == 0; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, files[i], STDOUT_FILENO + i);
    if (failed == 0)
        failed = posix_spawnp(pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
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

static int take_output(const char *program, const char *command, int status, const int *files,
                       struct buf *text, struct err *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        read_all(files[0], text);
        return text->is_full ? err_set(err, ERR_LIMIT, "%s %s writes more than %zu bytes", program, command,
                                       text->cap_bytes)
                             : 0;
    }
    cleanup_buf struct buf message;
    buf_init(&message, MESSAGE_CAP_BYTES);
    read_all(files[1], &message);
    const size_t len = strcspn(message.data, "\n");
    return err_set(err, ERR_INVALID, "%s %s: %.*s%s", program, command, (int)len, message.data,
                   len == 0 ? "failed without a message" : "");
}

/* Runs the first of the programs that there is, with its output in the files. */
static int run(const char *directory, const int *files, struct buf *text, struct err *err)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *program = programs[i].program, *command = programs[i].command;
        pid_t pid;
        int status;
        const int failed = start(program, command, directory, files, &pid);
        if (failed == ENOENT)
            continue;
        if (failed != 0)
            return err_set(err, ERR_INVALID, "%s: %s", program, strerror(failed));
        while (waitpid(pid, &status, 0) == -1) {
            if (errno != EINTR)
                return err_set(err, ERR_INTERNAL, "%s: %s", program, strerror(errno));
        }
        return take_output(program, command, status, files, text, err);
    }
    return err_set(err, ERR_NOT_FOUND, "to build a kustomization, kubectl or kustomize must be on the PATH");
}

int kustomize_build(const char *directory, struct buf *text, struct err *err)
{
    const int files[] = {platform_unnamed_file("output"), platform_unnamed_file("message")};
    const int answer = files[0] == -1 || files[1] == -1
                           ? err_set(err, ERR_INTERNAL, "%s: %s", directory, strerror(errno))
                           : run(directory, files, text, err);
    for (int i = 0; i < 2; i++) {
        if (files[i] != -1)
            close(files[i]);
    }
    return answer;
}
