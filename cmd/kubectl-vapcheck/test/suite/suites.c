#include "cmd/kubectl-vapcheck/test/suite/suites.h"

#include <errno.h>
#include <string.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/test/suite/kaptest.h"
#include "cmd/kubectl-vapcheck/test/suite/kat.h"

static void add_problem(struct suites *s, const char *file, const char *message)
{
    s->problems = mem_grow(s->problems, s->n_problems, sizeof *s->problems);
    s->problems[s->n_problems++] =
        (struct testproblem){.file = mem_strdup(file), .message = mem_strdup(message)};
}

static struct suites_item *find(struct suites *s, enum testsuite_format format, const char *path)
{
    struct suites_item *item = keymap_get(&s->by_path, path);
    if (item != NULL)
        return item;
    item = mem_zalloc(sizeof *item);
    item->format = format;
    item->path = mem_strdup(path);
    s->items = mem_grow(s->items, s->count, sizeof(void *));
    s->items[s->count++] = item;
    keymap_put(&s->by_path, path, item);
    return item;
}

/* Takes the name. */
static void add_test(struct suites_item *item, char *test)
{
    if (!keymap_add(&item->seen, test)) {
        mem_free(test);
        return;
    }
    item->tests = mem_grow(item->tests, item->n_tests, sizeof(char *));
    item->tests[item->n_tests++] = test;
}

/* A file of a directory that is no manifest is not meant. */
static bool is_manifest(const char *path)
{
    char *text;
    size_t len;
    struct err err = {0};
    if (file_read(path, YAML_TEXT_CAP_BYTES, &text, &len, &err) != 0)
        return false;
    const bool is = kaptest_is_manifest(text, len);
    mem_free(text);
    return is;
}

static void add_input(struct suites *s, const struct input *input)
{
    const char *path = strncmp(input->name, "./", 2) == 0 ? input->name + 2 : input->name;
    char *folder, *test;
    if (input->problem != NULL) {
        s->has_missing = s->has_missing || !input->is_empty;
        if (!input->is_empty)
            add_problem(s, path, input->problem);
    } else if (!input->is_found && !file_exists(path)) {
        s->has_missing = true;
        add_problem(s, path, strerror(errno));
    } else if (kat_is_test(path, &folder, &test)) {
        add_test(find(s, TESTSUITE_KAT, folder), test);
        mem_free(folder);
    } else if (!input->is_found || is_manifest(path)) {
        (void)find(s, TESTSUITE_KAPTEST, path);
    }
}

void suites_add(struct suites *s, const char *path, const struct excludes *excludes)
{
    struct inputs inputs = {.excludes = excludes};
    inputs_add(&inputs, path);
    for (size_t i = 0; i < inputs.count; i++)
        add_input(s, &inputs.items[i]);
    inputs_deinit(&inputs);
}

void suites_read(const struct suites_item *item, struct testsuite *suite)
{
    if (item->format == TESTSUITE_KAPTEST) {
        kaptest_read(item->path, suite);
        return;
    }
    kat_open(item->path, suite);
    for (size_t i = 0; i < item->n_tests; i++)
        kat_add_test(suite, item->tests[i]);
}

void suites_deinit(struct suites *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct suites_item *item = s->items[i];
        for (size_t k = 0; k < item->n_tests; k++)
            mem_free(item->tests[k]);
        mem_free(item->tests);
        keymap_deinit(&item->seen, NULL);
        mem_free(item->path);
        mem_free(item);
    }
    mem_free(s->items);
    for (size_t i = 0; i < s->n_problems; i++) {
        mem_free(s->problems[i].file);
        mem_free(s->problems[i].message);
    }
    mem_free(s->problems);
    keymap_deinit(&s->by_path, NULL);
    *s = (struct suites){0};
}
