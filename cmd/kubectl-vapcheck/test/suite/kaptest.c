#include "cmd/kubectl-vapcheck/test/suite/kaptest.h"

#include <string.h>
#include <sys/stat.h>

#include "client/base/file.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/test/suite/testauthorizer.h"
#include "typecheck/text.h"

static const struct {
    const char *key;
    enum testsubject subject;
} suite_keys[] = {{"testSuites", TESTSUBJECT_VALIDATING},
                  {"vapTestSuites", TESTSUBJECT_VALIDATING},
                  {"mapTestSuites", TESTSUBJECT_MUTATING},
                  {"webhookTestSuites", TESTSUBJECT_WEBHOOK},
                  {"crdTestSuites", TESTSUBJECT_DEFINITION}};

enum { N_SUITE_KEYS = sizeof suite_keys / sizeof *suite_keys };

static bool is_key(const char *at, size_t len, const char *key)
{
    const size_t key_len = strlen(key);
    if (len > 0 && *at == '"') {
        at++;
        len--;
    }
    return len > key_len && strncmp(at, key, key_len) == 0 && (at[key_len] == ':' || at[key_len] == '"');
}

bool kaptest_is_manifest(const char *text, size_t len)
{
    const char *end = text + len;
    for (const char *at = text; at != NULL && at < end;) {
        const char *line = at;
        while (line < end && (*line == ' ' || *line == '{')) /* JSON, too */
            line++;
        for (size_t i = 0; i < N_SUITE_KEYS; i++) {
            if (is_key(line, (size_t)(end - line), suite_keys[i].key))
                return true;
        }
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? NULL : at + 1;
    }
    return false;
}

/* ---- values ---- */

struct reader {
    struct testsuite *suite;
    const char *path;
    char *directory;
    struct keymap policies[TESTSUBJECTS]; /* their JSON by name, the last of each; only of policies */
};

static bool is_text(const struct yaml_node *node)
{
    return node != NULL && json_object_is_type(node->json, json_type_string);
}

/* A scalar that is written without quotes, as 1, is a text to kaptest, too. */
static const char *text_of(const struct yaml_node *mapping, const char *key)
{
    const struct yaml_node *node = mapping == NULL ? NULL : yaml_member(mapping, key);
    const bool is_scalar = node != NULL && node->json != NULL && node->style != YAML_COLLECTION;
    return is_scalar ? json_object_get_string(node->json) : "";
}

static struct testplace place_of(const struct reader *r, const struct yaml_node *node)
{
    return (struct testplace){r->path, node->start};
}

static void warn_of_others(struct reader *r, const struct yaml_node *mapping, const char *what,
                           const char *const *known, size_t count)
{
    for (size_t i = 0; i < mapping->n_children; i++) {
        const struct yaml_node *child = mapping->children[i];
        struct suggest near;
        size_t k = 0;
        suggest_init(&near, child->key);
        for (; k < count && strcmp(known[k], child->key) != 0; k++)
            suggest_offer(&near, known[k]);
        if (k < count)
            continue;
        cleanup_mem char *hint =
            near.best == NULL ? mem_strdup("") : mem_printf(", did you mean %s?", near.best);
        testsuite_problem(r->suite, r->path, child->key_start, true,
                          mem_printf("%s has no key %s: it is ignored%s", what, child->key, hint));
    }
}

#define WARN_OF_OTHERS(r, mapping, what, known)                                                              \
    warn_of_others(r, mapping, what, known, sizeof(known) / sizeof *(known))

/* ---- tests ---- */

static void read_object(struct reader *r, const struct yaml_node *test, const char *key, struct testcase *out,
                        struct testobject **object)
{
    static const char *const known[] = {"group", "version", "kind", "namespace", "name"};
    const struct yaml_node *node = yaml_member(test, key);
    char *problem = NULL;
    if (node == NULL || node->json == NULL)
        return;
    if (!json_object_is_type(node->json, json_type_object)) {
        testsuite_refuse(out, place_of(r, node), mem_printf("%s is no mapping", key));
        return;
    }
    WARN_OF_OTHERS(r, node, key, known);
    const struct testfiles_query query = {.group = text_of(node, "group"),
                                          .version = text_of(node, "version"),
                                          .kind = text_of(node, "kind"),
                                          .namespace = text_of(node, "namespace"),
                                          .name = text_of(node, "name")};
    if (*query.kind == '\0' || *query.name == '\0') {
        testsuite_refuse(out, place_of(r, node), mem_printf("%s needs a kind and a name", key));
        return;
    }
    *object = testfiles_find(&r->suite->files, &query, &problem);
    if (problem != NULL)
        testsuite_refuse(out, place_of(r, node), problem);
}

/* A CONNECT names what is connected to, which need not be among the resources. */
static void read_connect(const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *node = yaml_member(test, "object");
    if (node == NULL || !json_object_is_type(node->json, json_type_object))
        return;
    out->request_name = text_of(node, "name");
    out->request_namespace = text_of(node, "namespace");
}

/* The policy's paramKind says of which kind they are. Without them a binding says what happens. */
static void read_params(struct reader *r, const struct yaml_node *test, struct json_object *policy,
                        struct testcase *out)
{
    const struct yaml_node *node = yaml_member(test, "param");
    struct json_object *param_kind = jsonval_get(jsonval_get(policy, "spec"), "paramKind");
    char *problem = NULL;
    node = node == NULL ? yaml_member(test, "params") : node;
    if (param_kind == NULL)
        return;
    if (node == NULL && out->binding != NULL)
        return;
    if (node == NULL || *text_of(node, "name") == '\0') {
        testsuite_refuse(out, out->place,
                         mem_strdup("the policy has a paramKind, and the test names no param"));
        return;
    }
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(param_kind, "apiVersion"));
    const struct testfiles_query query = {.group = gv.group,
                                          .version = gv.version,
                                          .kind = jsonval_string_or_empty(param_kind, "kind"),
                                          .namespace = text_of(node, "namespace"),
                                          .name = text_of(node, "name")};
    out->params = testfiles_find(&r->suite->files, &query, &problem);
    if (problem != NULL)
        testsuite_refuse(out, place_of(r, node), problem);
}

static const char *namespace_of(const struct testobject *o)
{
    return o == NULL ? "" : jsonval_metadata(o->root->json, "namespace");
}

/* Reads the Namespace that is among the resources; if there is none, it is made from its name. */
static void read_namespace(struct reader *r, struct testcase *out)
{
    const char *name = *out->request_namespace != '\0'
                           ? out->request_namespace
                           : namespace_of(out->object != NULL ? out->object : out->old_object);
    cleanup_mem char *problem = NULL;
    const struct testfiles_query query = {"", "", "Namespace", "", name};
    const struct testobject *found =
        *name == '\0' ? NULL : testfiles_find(&r->suite->files, &query, &problem);
    out->namespace_object = found == NULL ? NULL : found->root->json;
}

static bool read_expect(struct reader *r, const struct yaml_node *test, struct testcase *out)
{
    static const struct {
        const char *word;
        enum testexpect expect;
        bool is_of[TESTSUBJECTS];
    } words[] = {
        {"admit", TESTEXPECT_ADMIT, {[TESTSUBJECT_VALIDATING] = true, [TESTSUBJECT_DEFINITION] = true}},
        {"allow", TESTEXPECT_ADMIT, {[TESTSUBJECT_VALIDATING] = true}}, /* the word of its documentation */
        {"deny", TESTEXPECT_DENY, {[TESTSUBJECT_VALIDATING] = true, [TESTSUBJECT_DEFINITION] = true}},
        {"mutate", TESTEXPECT_MUTATE, {[TESTSUBJECT_MUTATING] = true}},
        {"call", TESTEXPECT_CALL, {[TESTSUBJECT_WEBHOOK] = true}},
        {"skip", TESTEXPECT_SKIP, {true, true, true, false}},
        {"error", TESTEXPECT_ERROR, {true, true, true, true}},
    };
    static const char *const first[TESTSUBJECTS] = {"admit, deny, skip", "mutate, skip", "call, skip",
                                                    "admit, deny"};
    const struct yaml_node *node = yaml_member(test, "expect");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].is_of[out->subject] || strcmp(text_of(test, "expect"), words[i].word) != 0)
            continue;
        out->expect = words[i].expect;
        return true;
    }
    testsuite_refuse(
        out, node == NULL ? out->place : place_of(r, node),
        mem_printf(node == NULL ? "expect is missing: %s or error" : "expect is none of %s and error",
                   first[out->subject]));
    return false;
}

/* Reads the object that the mutations should make; its name is that of the object unless the test says that
 * names count. */
static void read_mutated(struct reader *r, const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *overwrite = yaml_member(test, "disableNameOverwrite");
    out->is_name_compared = overwrite != NULL && json_object_get_boolean(overwrite->json);
    if (out->expect != TESTEXPECT_MUTATE)
        return;
    read_object(r, test, "expectObject", out, &out->mutated);
    if (out->mutated == NULL)
        testsuite_refuse(out, out->place, mem_strdup("a test that expects mutate needs an expectObject"));
}

/* kaptest calls the user's name so, its documentation otherwise, and Kubernetes otherwise again. */
static void read_user(const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *user = yaml_member(test, "userInfo");
    const char *name = user == NULL ? "" : text_of(user, "name");
    name = user != NULL && *name == '\0' ? text_of(user, "user") : name;
    if (user == NULL || !json_object_is_type(user->json, json_type_object))
        return;
    if (*name != '\0')
        jsonval_set(user->json, "username", json_object_new_string(name));
    out->user = user->json;
}

static void read_expectations(const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *reason = yaml_member(test, "reason"), *warnings = yaml_member(test, "warnings"),
                           *annotations = yaml_member(test, "auditAnnotations");
    const char *message = text_of(test, "deniedMessage");
    message = *message == '\0' ? text_of(test, "message") : message;
    if (*message != '\0')
        out->message = mem_strdup(message);
    if (is_text(reason))
        out->reason = json_object_get_string(reason->json);
    if (warnings != NULL && json_object_is_type(warnings->json, json_type_array))
        out->warnings = json_object_get(warnings->json);
    if (annotations != NULL && json_object_is_type(annotations->json, json_type_object))
        out->annotations = json_object_get(annotations->json);
}

static void read_operation(const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *options = yaml_member(test, "options"), *dry_run = yaml_member(test, "dryRun");
    const char *made = testsuite_operation(out);
    out->operation = text_of(test, "operation");
    if (*out->operation == '\0' && made != NULL)
        out->operation = made;
    if (*out->operation == '\0')
        testsuite_refuse(out, out->place, mem_strdup("a test needs an object or an oldObject"));
    out->subresource = text_of(test, "subResource");
    out->resource = text_of(test, "resource");
    out->is_dry_run = dry_run != NULL && json_object_get_boolean(dry_run->json);
    if (options != NULL && json_object_is_type(options->json, json_type_object))
        out->options = options->json;
}

static char *name_test(const struct yaml_node *test, const struct testcase *out)
{
    const struct yaml_node *object = yaml_member(test, "object");
    const char *param = text_of(yaml_member(test, "param"), "name"), *namespace;
    object = object == NULL ? yaml_member(test, "oldObject") : object;
    if (*text_of(test, "name") != '\0')
        return mem_strdup(text_of(test, "name"));
    namespace = text_of(object, "namespace");
    return mem_printf("%s %s %s%s%s%s%s%s", *out->operation == '\0' ? "test" : out->operation,
                      text_of(object, "kind"), namespace, *namespace == '\0' ? "" : "/",
                      text_of(object, "name"), *param == '\0' ? "" : " (param ", param,
                      *param == '\0' ? "" : ")");
}

static void read_authorizer(struct reader *r, const struct yaml_node *test, struct testcase *out)
{
    const struct yaml_node *rows = yaml_member(test, "authorizer");
    if (rows != NULL)
        testauthorizer_read(r->suite, r->path, rows, out);
}

/* The policy, or another subject, that the tests of an item of a list are about. The caller frees the
 * name. */
struct subject {
    enum testsubject kind;
    char *name;
    const char *binding;        /* the name of the binding; NULL if the test names none */
    struct json_object *policy; /* the policy's object; NULL if it is not there, or is no policy */
};

static void read_test(struct reader *r, const struct yaml_node *test, const struct subject *subject)
{
    static const char *const known[] = {"name",
                                        "object",
                                        "oldObject",
                                        "param",
                                        "params",
                                        "expect",
                                        "userInfo",
                                        "deniedMessage",
                                        "message",
                                        "reason",
                                        "warnings",
                                        "auditAnnotations",
                                        "operation",
                                        "subResource",
                                        "resource",
                                        "dryRun",
                                        "options",
                                        "expectObject",
                                        "disableNameOverwrite",
                                        "authorizer",
                                        "binding"};
    struct testcase *out = testsuite_add(r->suite);
    out->place = place_of(r, test);
    out->subject = subject->kind;
    out->binding = subject->binding;
    testsuite_name_policy(out, subject->name);
    if (!json_object_is_type(test->json, json_type_object)) {
        out->name = mem_strdup("test");
        testsuite_refuse(out, out->place, mem_strdup("a test is a mapping"));
        return;
    }
    WARN_OF_OTHERS(r, test, "a test", known);
    if (*text_of(test, "binding") != '\0' && subject->kind != TESTSUBJECT_WEBHOOK)
        out->binding = text_of(test, "binding");
    if (strcmp(text_of(test, "operation"), "CONNECT") == 0)
        read_connect(test, out);
    else
        read_object(r, test, "object", out, &out->object);
    read_object(r, test, "oldObject", out, &out->old_object);
    read_params(r, test, subject->policy, out);
    read_operation(test, out);
    read_namespace(r, out);
    read_user(test, out);
    read_authorizer(r, test, out);
    if (read_expect(r, test, out)) {
        read_expectations(test, out);
        read_mutated(r, test, out);
    }
    out->name = name_test(test, out);
}

/* ---- the manifest ---- */

static void index_policies(struct reader *r)
{
    const struct testsuite *s = r->suite;
    for (size_t i = 0; i < s->n_policies; i++) {
        for (size_t k = 0; k < s->policies[i]->n_objects; k++) {
            const struct manifest_object *o = &s->policies[i]->objects[k];
            const char *name = jsonval_string(jsonval_get(o->root->json, "metadata"), "name");
            const bool is_mutating = o->kind == OBJECTKIND_MUTATING_POLICY;
            if ((o->kind == OBJECTKIND_POLICY || is_mutating) && name != NULL)
                keymap_put(&r->policies[is_mutating ? TESTSUBJECT_MUTATING : TESTSUBJECT_VALIDATING], name,
                           o->root->json);
        }
    }
}

/* Returns false if the item does not name what it tests. */
static bool read_subject(struct reader *r, const struct yaml_node *suite, struct subject *out)
{
    static const char *const of_policies[] = {"policy", "binding", "tests"},
                             *const of_webhooks[] = {"configuration", "webhook", "tests"},
                             *const of_definitions[] = {"crd", "tests"};
    const char *binding = text_of(suite, "binding");
    if (out->kind == TESTSUBJECT_DEFINITION) {
        WARN_OF_OTHERS(r, suite, "an item of the list", of_definitions);
        out->name = mem_strdup(text_of(suite, "crd"));
        return *out->name != '\0';
    }
    if (out->kind == TESTSUBJECT_WEBHOOK) {
        const char *configuration = text_of(suite, "configuration"), *webhook = text_of(suite, "webhook");
        WARN_OF_OTHERS(r, suite, "an item of the list", of_webhooks);
        out->name = mem_printf("%s/%s", configuration, webhook);
        return *configuration != '\0' && *webhook != '\0';
    }
    WARN_OF_OTHERS(r, suite, "an item of the list", of_policies);
    out->name = mem_strdup(text_of(suite, "policy"));
    out->binding = *binding == '\0' ? NULL : binding;
    out->policy = keymap_get(&r->policies[out->kind], out->name);
    return *out->name != '\0';
}

static void read_suite(struct reader *r, const struct yaml_node *suite, const char *key,
                       enum testsubject kind)
{
    static const char *const names[TESTSUBJECTS] = {
        "a policy", "a policy", "a configuration and of a webhook", "a CustomResourceDefinition"};
    const bool is_mapping = json_object_is_type(suite->json, json_type_object);
    const struct yaml_node *tests = is_mapping ? yaml_member(suite, "tests") : NULL;
    struct subject subject = {.kind = kind};
    const bool is_named = is_mapping && read_subject(r, suite, &subject);
    if (!is_named || tests == NULL || !json_object_is_type(tests->json, json_type_array))
        testsuite_problem(
            r->suite, r->path, suite->start, false,
            mem_printf("an item of %s needs the name of %s, and a list of tests", key, names[kind]));
    else
        for (size_t i = 0; i < tests->n_children; i++)
            read_test(r, tests->children[i], &subject);
    mem_free(subject.name);
}

static void read_suites(struct reader *r, const struct yaml_node *root, const char *key,
                        enum testsubject kind)
{
    const struct yaml_node *suites = yaml_member(root, key);
    for (size_t i = 0; suites != NULL && i < suites->n_children; i++)
        read_suite(r, suites->children[i], key, kind);
}

static bool is_address(const char *path)
{
    return strstr(path, "://") != NULL;
}

/* The path without "directory/..", if that is the same file. The caller frees it. */
static char *shorten(const char *path)
{
    char *out = mem_strdup(path), *up;
    while ((up = strstr(out, "/../")) != NULL) {
        struct stat before, after;
        char *from = up;
        while (from > out && from[-1] != '/')
            from--;
        cleanup_mem char *shorter = mem_printf("%.*s%s", (int)(from - out), out, up + strlen("/../"));
        const bool is_step = from < up && strncmp(from, "../", 3) != 0 && stat(out, &before) == 0 &&
                             stat(shorter, &after) == 0 && before.st_dev == after.st_dev &&
                             before.st_ino == after.st_ino;
        if (!is_step)
            break;
        mem_free(out);
        out = mem_strdup(shorter);
    }
    return out;
}

/* Calls `take` for each of the paths. */
static void read_paths(struct reader *r, const struct yaml_node *root, const char *key,
                       void (*take)(struct reader *r, const char *path))
{
    const struct yaml_node *list = yaml_member(root, key);
    for (size_t i = 0; list != NULL && i < list->n_children; i++) {
        const struct yaml_node *item = list->children[i];
        if (!is_text(item)) {
            testsuite_problem(r->suite, r->path, item->start, false, mem_printf("%s has no path here", key));
        } else if (is_address(json_object_get_string(item->json))) {
            testsuite_problem(r->suite, r->path, item->start, false,
                              mem_printf("%s: addresses are not read: save the file, and name its path",
                                         json_object_get_string(item->json)));
        } else {
            cleanup_mem char *whole = strchr(r->path, '/') == NULL
                                          ? mem_strdup(json_object_get_string(item->json))
                                          : file_resolve(r->directory, json_object_get_string(item->json)),
                             *path = shorten(whole);
            take(r, path);
        }
    }
}

static void take_policies(struct reader *r, const char *path)
{
    testsuite_add_policies(r->suite, path);
}

static void take_definitions(struct reader *r, const char *path)
{
    testsuite_add_definitions(r->suite, path);
}

static void take_resources(struct reader *r, const char *path)
{
    cleanup_mem char *key = mem_printf("resources\n%s", path);
    const struct manifest *m = keymap_add(&r->suite->seen, key) ? testsuite_read(r->suite, path) : NULL;
    if (m != NULL)
        testfiles_index(&r->suite->files, m);
}

static void read_manifest(struct reader *r, const struct yaml_node *root)
{
    static const char *const known[] = {"version",
                                        "policies",
                                        "validatingAdmissionPolicies",
                                        "resources",
                                        "crds",
                                        "schemaLocations",
                                        "skipSchemaValidation",
                                        "testSuites",
                                        "vapTestSuites",
                                        "mapTestSuites",
                                        "webhooks",
                                        "webhookTestSuites",
                                        "crdTestSuites"};
    const char *version = text_of(root, "version");
    const struct yaml_node *skip = yaml_member(root, "skipSchemaValidation");
    WARN_OF_OTHERS(r, root, "a manifest", known);
    if (*version != '\0' && strcmp(version, "v1alpha1") != 0)
        testsuite_problem(r->suite, r->path, yaml_member(root, "version")->start, false,
                          mem_printf("version %s is not known: v1alpha1 is", version));
    r->suite->ignores_schemas = skip != NULL && json_object_get_boolean(skip->json);
    read_paths(r, root, "policies", take_policies);
    read_paths(r, root, "validatingAdmissionPolicies", take_policies);
    read_paths(r, root, "webhooks", take_policies);
    read_paths(r, root, "crds", take_definitions);
    read_paths(r, root, "resources", take_resources);
    index_policies(r);
    for (size_t i = 0; i < N_SUITE_KEYS; i++)
        read_suites(r, root, suite_keys[i].key, suite_keys[i].subject);
    if (r->suite->n_cases == 0 && r->suite->n_problems == 0)
        testsuite_problem(r->suite, r->path, root->start, false, mem_strdup("the manifest has no tests"));
}

void kaptest_read(const char *path, struct testsuite *out)
{
    struct reader r = {.suite = out, .path = path, .directory = file_directory(path)};
    *out =
        (struct testsuite){.format = TESTSUITE_KAPTEST, .name = mem_strdup(path), .ignores_bindings = true};
    r.path = out->name;
    const struct manifest *m = testsuite_read(out, path);
    const struct yaml_node *root =
        m == NULL || m->yaml == NULL || yaml_count(m->yaml) == 0 ? NULL : yaml_root(m->yaml, 0);
    if (root != NULL && json_object_is_type(root->json, json_type_object))
        read_manifest(&r, root);
    else if (out->n_problems == 0)
        testsuite_problem(out, path, (struct yaml_place){0, 0}, false,
                          mem_strdup("this is no test manifest"));
    mem_free(r.directory);
    for (size_t i = 0; i < TESTSUBJECTS; i++)
        keymap_deinit(&r.policies[i], NULL);
}
