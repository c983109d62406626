#include "cmd/kubectl-vapcheck/test/suite/kat.h"

#include <string.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/test/suite/testauthorizer.h"
#include "typecheck/text.h"

/* ---- names ---- */

bool kat_is_test(const char *path, char **folder, char **test)
{
    static const char *const endings[] = {".object.yaml",    ".oldObject.yaml",   ".request.yaml",
                                          ".params.yaml",    ".annotations.yaml", ".warnings.txt",
                                          ".authorizer.yaml"};
    cleanup_mem char *directory = file_directory(path);
    const char *name = strrchr(path, '/'), *of_directory = strrchr(directory, '/');
    size_t i = 0;
    name = name == NULL ? path : name + 1;
    of_directory = of_directory == NULL ? directory : of_directory + 1;
    while (i < sizeof endings / sizeof *endings && !str_has_suffix(str_of(name), str_of(endings[i])))
        i++;
    if (i == sizeof endings / sizeof *endings || strcmp(of_directory, "tests") != 0)
        return false;
    *folder = file_directory(directory);
    *test = mem_strndup(name, strlen(name) - strlen(endings[i]));
    return true;
}

/* policy.yaml, team.policy.yaml; also in the plural and as .yml. */
static bool is_named(const char *path, const char *what)
{
    const char *name = strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    const size_t dots = strlen(name) - strlen(strrchr(name, '.') == NULL ? "" : strrchr(name, '.'));
    if (!str_has_suffix(str_of(name), STR(".yaml")) && !str_has_suffix(str_of(name), STR(".yml")))
        return false;
    cleanup_mem char *stem = mem_strndup(name, dots), *dotted = mem_printf(".%s", what);
    return strcmp(stem, what) == 0 || str_has_suffix(str_of(stem), str_of(dotted));
}

static bool is_of_policies(const char *path)
{
    return is_named(path, "policy") || is_named(path, "policies") || is_named(path, "binding") ||
           is_named(path, "bindings");
}

/* Returns true if the file has definitions of custom resources, which kat does not have. */
static bool is_of_definitions(const char *path)
{
    return is_named(path, "crd") || is_named(path, "crds");
}

/* Returns true if the path, below the folder, is in a folder that is passed over, by its name. */
static bool is_passed_over(const char *folder, const char *path)
{
    const char *at = path + strlen(folder);
    for (const char *end; (end = strchr(at, '/')) != NULL; at = end + 1) {
        const size_t len = (size_t)(end - at);
        if ((len > 0 && *at == '.') || (len == 5 && strncmp(at, "tests", len) == 0) ||
            (len == 8 && strncmp(at, "testdata", len) == 0))
            return true;
    }
    return false;
}

void kat_open(const char *folder, struct testsuite *out)
{
    struct inputs inputs = {0};
    *out = (struct testsuite){.format = TESTSUITE_KAT, .name = mem_strdup(folder)};
    inputs_add(&inputs, folder);
    for (size_t i = 0; i < inputs.count; i++) {
        const char *path = inputs.items[i].name;
        if (inputs.items[i].problem != NULL || is_passed_over(folder, path))
            continue;
        if (is_of_policies(path))
            testsuite_add_policies(out, path);
        else if (is_of_definitions(path))
            testsuite_add_definitions(out, path);
    }
    inputs_deinit(&inputs);
}

/* ---- the policy that a name means ---- */

static const char *name_of(const struct manifest_object *o)
{
    return jsonval_metadata(o->root->json, "name");
}

static bool is_of(const char *test, const char *policy)
{
    const size_t len = strlen(policy);
    return len > 0 && strncmp(test, policy, len) == 0 && test[len] == '.';
}

struct search {
    const struct manifest_object *found, *last;
    size_t count;
};

static void search_file(struct testsuite *s, const struct manifest *m, enum objectkind kind, const char *test,
                        struct search *search)
{
    for (size_t i = 0; i < m->n_objects && s->files.n_compared < TESTFILES_MAX_COMPARED; i++) {
        const struct manifest_object *o = &m->objects[i];
        s->files.n_compared++;
        if (o->kind != kind)
            continue;
        search->count++;
        search->last = o;
        if (search->found == NULL && is_of(test, name_of(o)))
            search->found = o;
    }
}

/* The first one whose name begins the test's name, mutating ones before the others; or the only one. */
static void find_policy(struct testsuite *s, struct testcase *out, const char *test)
{
    static const enum objectkind kinds[] = {OBJECTKIND_MUTATING_POLICY, OBJECTKIND_POLICY};
    struct search search = {.count = 0};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t i = 0; i < s->n_policies; i++)
            search_file(s, s->policies[i], kinds[kind], test, &search);
    }
    const struct manifest_object *found =
        search.found == NULL && search.count == 1 ? search.last : search.found;
    if (found == NULL) {
        const char *why = s->files.n_compared >= TESTFILES_MAX_COMPARED
                              ? "there are too many policies and tests in one folder"
                          : search.count == 0 ? "the folder above has no policy in policy.yaml"
                                              : "no policy's name begins the name of this file";
        testsuite_refuse(out, out->place, mem_strdup(why));
        return;
    }
    testsuite_name_policy(out, name_of(found));
    out->subject = found->kind == OBJECTKIND_MUTATING_POLICY ? TESTSUBJECT_MUTATING : TESTSUBJECT_VALIDATING;
}

/* ---- a test's files ---- */

struct reader {
    struct testsuite *suite;
    struct testcase *test;
    char *stem; /* the path without the ending */
};

/* Returns NULL if there is no such file, or it is no good, which the test then says. */
static const struct manifest *read_file(struct reader *r, const char *ending, const struct yaml_node **root)
{
    cleanup_mem char *path = mem_printf("%s%s", r->stem, ending);
    char *problem = NULL;
    *root = NULL;
    if (!file_exists(path))
        return NULL;
    const struct manifest *m = testfiles_read(&r->suite->files, path, &problem);
    if (m == NULL) {
        testsuite_refuse(r->test, r->test->place, problem);
        return NULL;
    }
    if (r->test->place.file == NULL)
        r->test->place = (struct testplace){m->file, {1, 1}};
    if (m->problem != NULL) {
        testsuite_refuse(r->test, (struct testplace){m->file, m->where}, mem_strdup(m->problem));
        return NULL;
    }
    *root = yaml_count(m->yaml) == 0 ? NULL : yaml_root(m->yaml, 0);
    return *root == NULL ? NULL : m;
}

static struct testobject *take_object(struct reader *r, const struct manifest *m,
                                      const struct yaml_node *root)
{
    struct json_object *json = root->json;
    if (*jsonval_string_or_empty(json, "apiVersion") == '\0' ||
        *jsonval_string_or_empty(json, "kind") == '\0') {
        testsuite_refuse(r->test, (struct testplace){m->file, root->start},
                         mem_strdup("an object needs apiVersion and kind"));
        return NULL;
    }
    return testfiles_add(&r->suite->files, m, root);
}

static void read_object(struct reader *r, const char *ending, struct testobject **out)
{
    const struct yaml_node *root;
    const struct manifest *m = read_file(r, ending, &root);
    if (m != NULL)
        *out = take_object(r, m, root);
}

/* Beside an object in a file of its own; names count. */
static void read_mutated(struct reader *r)
{
    if (r->test->object == NULL)
        return;
    read_object(r, ".gold.yaml", &r->test->mutated);
    r->test->is_name_compared = true;
}

static void read_params(struct reader *r)
{
    const struct yaml_node *root;
    const struct manifest *m = read_file(r, ".params.yaml", &root);
    if (m != NULL)
        r->test->params = testfiles_add(&r->suite->files, m, root);
}

static void read_request(struct reader *r)
{
    const struct yaml_node *root;
    const struct manifest *m = read_file(r, ".request.yaml", &root);
    struct testcase *t = r->test;
    if (m == NULL)
        return;
    struct json_object *json = root->json;
    const struct yaml_node *object = yaml_member(root, "object"), *old = yaml_member(root, "oldObject");
    if (!json_object_is_type(json, json_type_object)) {
        testsuite_refuse(t, (struct testplace){m->file, root->start}, mem_strdup("a request is a mapping"));
        return;
    }
    t->operation = jsonval_string_or_empty(json, "operation");
    t->subresource = jsonval_string_or_empty(json, "subResource");
    t->resource = jsonval_string_or_empty(json, "resource");
    t->request_name = jsonval_string_or_empty(json, "name");
    t->request_namespace = jsonval_string_or_empty(json, "namespace");
    t->is_dry_run = jsonval_is_true(json, "dryRun");
    t->user = jsonval_get(json, "userInfo");
    t->options = jsonval_get(json, "options");
    t->namespace_object = jsonval_get(json, "namespaceObject");
    if (object != NULL && object->json != NULL)
        t->object = take_object(r, m, object);
    if (old != NULL && old->json != NULL)
        t->old_object = take_object(r, m, old);
}

/* The text of the file without white space around it; NULL if there is no file. */
static char *read_text(struct reader *r, const char *ending)
{
    enum { CAP_BYTES = 1024 * 1024 };
    static const char space[] = " \t\r\n\v\f";
    cleanup_mem char *path = mem_printf("%s%s", r->stem, ending);
    char *text = NULL;
    struct err err = {0};
    if (!file_exists(path))
        return NULL;
    if (file_read(path, CAP_BYTES, &text, NULL, &err) != 0) {
        testsuite_refuse(r->test, r->test->place, mem_strdup(err.msg));
        return NULL;
    }
    const size_t before = strspn(text, space);
    size_t len = strlen(text);
    while (len > before && strchr(space, text[len - 1]) != NULL)
        len--;
    char *trimmed = mem_strndup(text + before, len - before);
    mem_free(text);
    return trimmed;
}

/* A line each; those without a text are none. */
static void read_warnings(struct reader *r)
{
    cleanup_mem char *text = read_text(r, ".warnings.txt");
    for (char *at = text, *end; at != NULL && *at != '\0'; at = end) {
        at += strspn(at, " \t\r\n");
        end = at + strcspn(at, "\n");
        size_t len = (size_t)(end - at);
        while (len > 0 && strchr(" \t\r", at[len - 1]) != NULL)
            len--;
        if (len == 0)
            continue;
        if (r->test->warnings == NULL)
            r->test->warnings = json_object_new_array();
        jsonval_append(r->test->warnings, json_object_new_string_len(at, (int)len));
    }
}

static void read_authorizer(struct reader *r)
{
    const struct yaml_node *root;
    const struct manifest *m = read_file(r, ".authorizer.yaml", &root);
    if (m != NULL)
        testauthorizer_read(r->suite, m->file, root, r->test);
}

static void read_annotations(struct reader *r)
{
    const struct yaml_node *root;
    if (read_file(r, ".annotations.yaml", &root) != NULL && json_object_is_type(root->json, json_type_object))
        r->test->annotations = json_object_get(root->json);
}

/* Returns true if a test expects a refusal: its name has the part .deny. */
static bool is_denied(const char *test)
{
    return strstr(test, ".deny.") != NULL || str_has_suffix(str_of(test), STR(".deny"));
}

static void set_operation(struct testcase *t)
{
    const char *made = testsuite_operation(t);
    if (*t->operation == '\0' && made != NULL)
        t->operation = made;
    if (*t->operation == '\0')
        testsuite_refuse(t, t->place,
                         mem_strdup("the test has neither an object nor an operation in .request.yaml"));
}

void kat_add_test(struct testsuite *s, const char *test)
{
    struct testcase *t = testsuite_add(s);
    struct reader r = {s, t, mem_printf("%s/tests/%s", s->name, test)};
    t->name = mem_strdup(test);
    t->expect = is_denied(test) ? TESTEXPECT_DENY : TESTEXPECT_ALLOW;
    read_object(&r, ".object.yaml", &t->object);
    read_object(&r, ".oldObject.yaml", &t->old_object);
    read_mutated(&r);
    read_request(&r);
    read_params(&r);
    t->message = read_text(&r, ".message.txt");
    read_warnings(&r);
    read_annotations(&r);
    read_authorizer(&r);
    if (t->place.file == NULL)
        t->place = (struct testplace){s->name, {0, 0}};
    find_policy(s, t, test);
    set_operation(t);
    mem_free(r.stem);
}
