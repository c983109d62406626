#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"

#include "client/base/mem.h"

void testsuite_problem(struct testsuite *s, const char *file, struct yaml_place at, bool is_warning,
                       char *message)
{
    s->problems = mem_grow(s->problems, s->n_problems, sizeof *s->problems);
    s->problems[s->n_problems++] = (struct testproblem){mem_strdup(file), at, message, is_warning};
}

struct testcase *testsuite_add(struct testsuite *s)
{
    s->cases = mem_grow(s->cases, s->n_cases, sizeof *s->cases);
    struct testcase *test = &s->cases[s->n_cases++];
    *test = (struct testcase){.policy = mem_strdup(""),
                              .operation = "",
                              .subresource = "",
                              .resource = "",
                              .request_name = "",
                              .request_namespace = ""};
    return test;
}

void testsuite_name_policy(struct testcase *test, const char *name)
{
    mem_free(test->policy);
    test->policy = mem_strdup(name);
}

void testsuite_refuse(struct testcase *test, struct testplace place, char *problem)
{
    if (test->problem != NULL) {
        mem_free(problem);
        return;
    }
    test->problem = problem;
    test->problem_place = place;
}

const struct manifest *testsuite_read(struct testsuite *s, const char *path)
{
    const size_t before = s->files.count;
    char *problem = NULL;
    const struct manifest *m = testfiles_read(&s->files, path, &problem);
    if (m == NULL)
        testsuite_problem(s, path, (struct yaml_place){0, 0}, false, problem);
    else if (m->problem != NULL && s->files.count > before)
        testsuite_problem(s, path, m->where, false, mem_strdup(m->problem));
    return m;
}

/* Each file once. */
static void add(struct testsuite *s, const char *list_name, const struct manifest ***list, size_t *count,
                const char *path)
{
    cleanup_mem char *key = mem_printf("%s\n%s", list_name, path);
    if (!keymap_add(&s->seen, key))
        return;
    const struct manifest *m = testsuite_read(s, path);
    if (m == NULL)
        return;
    *list = mem_grow(*list, *count, sizeof(void *));
    (*list)[(*count)++] = m;
}

void testsuite_add_policies(struct testsuite *s, const char *path)
{
    add(s, "policies", &s->policies, &s->n_policies, path);
}

void testsuite_add_definitions(struct testsuite *s, const char *path)
{
    add(s, "definitions", &s->definitions, &s->n_definitions, path);
}

const char *testsuite_operation(const struct testcase *test)
{
    if (test->object != NULL)
        return test->old_object != NULL ? "UPDATE" : "CREATE";
    return test->old_object != NULL ? "DELETE" : NULL;
}

static void deinit_case(struct testcase *test)
{
    mem_free(test->name);
    mem_free(test->policy);
    mem_free(test->message);
    mem_free(test->problem);
    mem_free(test->answers);
    json_object_put(test->warnings);
    json_object_put(test->annotations);
}

void testsuite_deinit(struct testsuite *s)
{
    for (size_t i = 0; i < s->n_cases; i++)
        deinit_case(&s->cases[i]);
    mem_free(s->cases);
    for (size_t i = 0; i < s->n_problems; i++) {
        mem_free(s->problems[i].file);
        mem_free(s->problems[i].message);
    }
    mem_free(s->problems);
    mem_free(s->policies);
    mem_free(s->definitions);
    keymap_deinit(&s->seen, NULL);
    testfiles_deinit(&s->files);
    mem_free(s->name);
    *s = (struct testsuite){0};
}
