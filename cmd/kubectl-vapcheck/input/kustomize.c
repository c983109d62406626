#include "cmd/kubectl-vapcheck/input/kustomize.h"

#include <stddef.h>

#include "cmd/kubectl-vapcheck/input/subprocess.h"

/* A program that makes it, and what comes before the directory. */
static const struct {
    const char *program, *command;
} programs[] = {{"kubectl", "kustomize"}, {"kustomize", "build"}};

int kustomize_build(const char *directory, struct buf *text, struct err *err)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *const arguments[] = {programs[i].program, programs[i].command, directory, NULL};
        *err = (struct err){0};
        const int answer = subprocess_run(arguments, text, err);
        if (answer == 0 || err->code != ERR_NOT_FOUND)
            return answer;
    }
    return err_set(err, ERR_NOT_FOUND, "to build a kustomization, kubectl or kustomize must be on the PATH");
}
