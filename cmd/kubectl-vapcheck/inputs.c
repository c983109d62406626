#include "cmd/kubectl-vapcheck/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/buf.h"
#include "client/err.h"
#include "client/mem.h"
#include "client/yaml.h"

/* Of directories: deeper than any tree of manifests. */
enum { DEPTH = 64 };

static struct input *add(struct inputs *inputs, const char *name)
{
    inputs->items = mem_realloc(inputs->items, inputs->count + 1, sizeof *inputs->items);
    struct input *input = &inputs->items[inputs->count++];
    *input = (struct input){.name = mem_strdup(name)};
    return input;
}

static void add_problem(struct inputs *inputs, const char *name, const char *problem)
{
    add(inputs, name)->problem = mem_strdup(problem);
}

/* A whole file, or standard input for "-". */
static int read_file(const char *path, struct buf *b, struct err *err)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
    char chunk[64 * 1024];
    size_t n;
    if (in == NULL)
        return err_set(err, ERR_NOT_FOUND, "%s", strerror(errno));
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0 && !b->is_full)
        (void)buf_append(b, chunk, n);
    int failed = ferror(in) ? errno : 0;
    if (in != stdin)
        fclose(in);
    if (failed != 0)
        return err_set(err, ERR_INVALID, "%s", strerror(failed));
    if (b->is_full)
        return err_set(err, ERR_LIMIT, "the file has more than %d bytes", YAML_TEXT_CAP_BYTES);
    return 0;
}

static void add_file(struct inputs *inputs, const char *path)
{
    struct input *input = add(inputs, path);
    struct err err = {0};
    cleanup_buf struct buf text;
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    if (read_file(path, &text, &err) == 0)
        input->text = buf_take(&text, &input->len);
    else
        input->problem = mem_strdup(err.msg);
}

static bool is_manifest(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL &&
           (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

static void add_directory(struct inputs *inputs, const char *path, bool is_recursive, int depth)
{
    struct dirent **entries = NULL;
    int count = depth < DEPTH ? scandir(path, &entries, NULL, alphasort) : -1;
    if (count < 0)
        add_problem(inputs, path, depth < DEPTH ? strerror(errno) : "directories are nested too deeply");
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t len = strlen(path);
        cleanup_mem char *below = mem_printf("%s%s%s", path, path[len - 1] == '/' ? "" : "/", name);
        struct stat itself, target;
        bool is_directory = lstat(below, &itself) == 0 && S_ISDIR(itself.st_mode);
        if (is_directory && is_recursive && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            add_directory(inputs, below, true, depth + 1);
        else if (!is_directory && is_manifest(name) &&
                 (stat(below, &target) != 0 || !S_ISDIR(target.st_mode)))
            add_file(inputs, below);
        mem_free(entries[i]);
    }
    mem_free(entries);
}

void inputs_add(struct inputs *inputs, const char *path, bool is_recursive)
{
    struct stat st;
    size_t before = inputs->count;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        add_file(inputs, path);
        return;
    }
    add_directory(inputs, path, is_recursive, 0);
    if (inputs->count == before)
        add_problem(inputs, path, "no file in this directory ends in .yaml, .yml or .json");
}

void inputs_deinit(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        mem_free(inputs->items[i].name);
        mem_free(inputs->items[i].text);
        mem_free(inputs->items[i].problem);
    }
    mem_free(inputs->items);
}
