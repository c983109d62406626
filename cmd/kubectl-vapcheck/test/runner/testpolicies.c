#include "cmd/kubectl-vapcheck/test/runner/testpolicies.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/caret.h"
#include "cmd/kubectl-vapcheck/output/found.h"

static char *key_of(const char *file, struct yaml_place at)
{
    return mem_printf("%s\n%u:%u", file, at.line, at.column);
}

static void free_policy(struct testpolicy *p)
{
    policy_trace_free(p->trace);
    dispatch_free(p->dispatch);
    crdevaluation_free(p->definition);
    mem_free(p->problem);
    mem_free(p->name);
    mem_free(p->spec);
    mem_free(p->coverage);
    mem_free(p);
}

/* ---- the check ---- */

static char *copy_of(const char *text)
{
    return text == NULL ? NULL : mem_strdup(text);
}

static void add_finding(struct testpolicies *all, const struct output_place *place,
                        const struct output_finding *f, const struct found_item *item)
{
    cleanup_mem char *tag = found_tag(item);
    all->findings = mem_grow(all->findings, all->n_findings, sizeof *all->findings);
    all->findings[all->n_findings++] =
        (struct testfinding){.file = mem_strdup(place->file),
                             .name = mem_strdup(output_title(place, f)),
                             .headline = mem_printf("%s%s", item->headline, tag),
                             .text = mem_strdup(item->text),
                             .hint = mem_strdup(item->hint),
                             .id = item->id,
                             .severity = item->severity,
                             .object = output_describe(place, f),
                             .field = mem_strdup(item->field),
                             .title = mem_strdup(item->message),
                             .why = copy_of(item->why),
                             .server = copy_of(item->server),
                             .remedy = copy_of(item->remedy),
                             .at = item->at,
                             .is_refusal = item->id == FINDING_REFUSED};
    frame_init(&all->findings[all->n_findings - 1].frame, place->yaml, item->at, item->end);
}

/* The API server refuses the whole object. */
static void refuse(struct testpolicy *p, struct yaml_place at)
{
    for (; p != NULL; p = p->next) {
        p->is_refused = true;
        p->refused_at = at;
    }
}

/* Reports findings about policies that are tested; others are left out. */
static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct testpolicies *all = user;
    cleanup_mem char *key = key_of(place->file, place->root->start);
    struct testpolicy *p = keymap_get(&all->by_place, key);
    if (p == NULL)
        return;
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        if (item->severity <= FINDING_WARNING)
            add_finding(all, place, f, item);
        if (item->id == FINDING_REFUSED && !p->is_refused)
            refuse(p, item->at);
    }
}

/* Returns true if the file has something that policies are checked with. */
static bool is_of_ours(const struct manifest *m)
{
    for (size_t i = 0; m->problem == NULL && i < m->n_objects; i++) {
        if (m->objects[i].kind != OBJECTKIND_OTHER && m->objects[i].kind != OBJECTKIND_MISNAMED)
            return true;
    }
    return false;
}

static void check(struct testpolicies *all, const struct options *options, bool is_bundle)
{
    const struct testfiles *files = &all->suite->files;
    struct inputs inputs = {0};
    for (size_t i = 0; i < files->count; i++) {
        if (is_of_ours(files->items[i]))
            inputs_add(&inputs, files->items[i]->file);
    }
    const struct output output = {.finding = on_finding,
                                  .user = all}; /* the suite says what cannot be read */
    (void)check_inputs(&(struct check_request){.options = options,
                                               .schemas = all->schemas,
                                               .is_bundle = is_bundle,
                                               .is_quiet = true,
                                               .output = output},
                       &inputs);
    inputs_deinit(&inputs);
}

/* ---- all of a suite ---- */

/* Takes the names. */
static void add_subject(struct testpolicies *all, const struct manifest *m, const struct manifest_object *o,
                        const struct testpolicy *from)
{
    static const char mutating[] = "Mutating";
    const char *kind = jsonval_string_or_empty(o->root->json, "kind");
    struct testpolicy *p = mem_zalloc(sizeof *p);
    cleanup_mem char *key = key_of(m->file, o->root->start);
    *p = *from;
    p->place = (struct output_place){m->file, o->document, m->yaml, o->root};
    p->next = keymap_get(&all->by_place, key);
    p->is_mutating = strncmp(kind, mutating, sizeof mutating - 1) == 0;
    all->items = mem_grow(all->items, all->count, sizeof(void *));
    all->items[all->count++] = p;
    keymap_put(&all->by_place, key, p);
    keymap_put(&all->by_name[p->subject], p->name, p);
}

static void add_policy(struct testpolicies *all, const struct manifest *m, const struct manifest_object *o)
{
    const struct testpolicy from = {
        .name = mem_strdup(jsonval_metadata(o->root->json, "name")),
        .spec = mem_strdup("spec"),
        .json = o->root->json,
        .subject = o->kind == OBJECTKIND_MUTATING_POLICY ? TESTSUBJECT_MUTATING : TESTSUBJECT_VALIDATING};
    add_subject(all, m, o, &from);
}

static void add_webhooks(struct testpolicies *all, const struct manifest *m, const struct manifest_object *o)
{
    struct json_object *webhooks = jsonval_array(o->root->json, "webhooks");
    const char *configuration = jsonval_metadata(o->root->json, "name");
    for (size_t i = 0; i < jsonval_length(webhooks); i++) {
        struct json_object *webhook = jsonval_at(webhooks, i);
        const struct testpolicy from = {
            .name = mem_printf("%s/%s", configuration, jsonval_string_or_empty(webhook, "name")),
            .spec = mem_printf("webhooks[%zu]", i),
            .json = webhook,
            .subject = TESTSUBJECT_WEBHOOK};
        if (testpolicies_find(all, from.name, from.subject) != NULL)
            testsuite_problem(all->suite, m->file, o->root->start, false,
                              mem_printf("another webhook is named %s, too", from.name));
        add_subject(all, m, o, &from);
    }
}

/* Others are there for the schemas of their kinds only. */
static bool is_tested(const struct testsuite *s, const struct manifest_object *o)
{
    const char *name = jsonval_metadata(o->root->json, "name");
    size_t i = 0;
    while (i < s->n_cases &&
           (s->cases[i].subject != TESTSUBJECT_DEFINITION || strcmp(s->cases[i].policy, name) != 0))
        i++;
    return i < s->n_cases;
}

static void add_definition(struct testpolicies *all, const struct manifest *m,
                           const struct manifest_object *o)
{
    const struct testpolicy from = {.name = mem_strdup(jsonval_metadata(o->root->json, "name")),
                                    .spec = mem_strdup("spec"),
                                    .subject = TESTSUBJECT_DEFINITION,
                                    .definition = crdevaluation_new(o->root->json, schemas_env(all->schemas),
                                                                    schemas_minor(all->schemas))};
    add_subject(all, m, o, &from);
}

static void add_binding(struct testpolicies *all, const struct manifest *m, const struct manifest_object *o)
{
    struct testbinding *b = mem_zalloc(sizeof *b);
    b->json = o->root->json;
    b->subject = o->kind == OBJECTKIND_MUTATING_BINDING ? TESTSUBJECT_MUTATING : TESTSUBJECT_VALIDATING;
    b->name = jsonval_metadata(b->json, "name");
    b->place = (struct testplace){m->file, o->root->start};
    all->bindings = mem_grow(all->bindings, all->n_bindings, sizeof(void *));
    all->bindings[all->n_bindings++] = b;
}

/* The last one becomes the first of its policy's list. */
static void bind_all(struct testpolicies *all)
{
    for (size_t i = all->n_bindings; i > 0; i--) {
        struct testbinding *b = all->bindings[i - 1];
        struct testpolicy *p = testpolicies_find(
            all, jsonval_string_or_empty(jsonval_get(b->json, "spec"), "policyName"), b->subject);
        if (p == NULL)
            continue;
        b->next = p->bindings;
        p->bindings = b;
    }
}

static void gather(struct testpolicies *all)
{
    const struct testsuite *s = all->suite;
    for (size_t i = 0; i < s->n_policies; i++) {
        const struct manifest *m = s->policies[i];
        for (size_t k = 0; k < m->n_objects; k++) {
            const struct manifest_object *o = &m->objects[k];
            if (o->kind == OBJECTKIND_POLICY || o->kind == OBJECTKIND_MUTATING_POLICY)
                add_policy(all, m, o);
            else if (o->kind == OBJECTKIND_VALIDATING_WEBHOOKS || o->kind == OBJECTKIND_MUTATING_WEBHOOKS)
                add_webhooks(all, m, o);
            else if (o->kind == OBJECTKIND_BINDING || o->kind == OBJECTKIND_MUTATING_BINDING)
                add_binding(all, m, o);
        }
    }
    for (size_t i = 0; i < s->n_definitions; i++) {
        for (size_t k = 0; k < s->definitions[i]->n_objects; k++) {
            const struct manifest_object *o = &s->definitions[i]->objects[k];
            if (o->kind == OBJECTKIND_CRD && is_tested(s, o))
                add_definition(all, s->definitions[i], o);
        }
    }
    bind_all(all);
}

static void put_definitions(struct testpolicies *all)
{
    const struct testfiles *files = &all->suite->files;
    for (size_t i = 0; i < files->count; i++) {
        for (size_t k = 0; k < files->items[i]->n_objects; k++) {
            const struct manifest_object *o = &files->items[i]->objects[k];
            struct err err = {0};
            if (o->kind == OBJECTKIND_CRD && crds_add(all->crds, o->root->json, &err) != 0)
                testsuite_problem(all->suite, files->items[i]->file, o->root->start, false,
                                  mem_strdup(err.msg));
        }
    }
    schemas_put(all->schemas, all->crds);
}

static void bind_policy(struct testpolicy *p)
{
    struct err err = {0};
    size_t count = 1;
    if (dispatch_bind(p->dispatch, NULL, &err) != 0) /* which has nothing that could be wrong */
        p->problem = mem_strdup(err.msg);
    for (struct testbinding *b = p->bindings; b != NULL; b = b->next) {
        if (dispatch_bind(p->dispatch, b->json, &err) == 0)
            b->index = count++;
        else
            b->problem = mem_strdup(err.msg);
    }
}

static void make_dispatch(struct testpolicies *all, struct testpolicy *p)
{
    const struct env *env = schemas_env(all->schemas);
    struct err err = {0};
    if ((p->subject == TESTSUBJECT_WEBHOOK
             ? dispatch_new_webhook(p->json, schemas_minor(all->schemas), env, &p->dispatch, &err)
             : dispatch_new(p->json, env, &p->dispatch, &err)) != 0) {
        p->problem = mem_strdup(err.msg);
        return;
    }
    p->coverage = mem_array(dispatch_policy(p->dispatch)->count + 1, sizeof *p->coverage);
    p->trace = policy_trace_new(dispatch_run(p->dispatch));
    bind_policy(p);
}

void testpolicies_open(struct testpolicies *all, struct testsuite *suite, const struct options *options,
                       struct schemas *schemas, bool is_bundle)
{
    *all = (struct testpolicies){.suite = suite, .crds = crds_new(), .schemas = schemas};
    gather(all);
    check(all, options, is_bundle);
    put_definitions(all);
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i]->is_refused && all->items[i]->definition == NULL)
            make_dispatch(all, all->items[i]);
    }
}

struct testpolicy *testpolicies_find(const struct testpolicies *all, const char *name,
                                     enum testsubject subject)
{
    return keymap_get(&all->by_name[subject], name);
}

const struct testbinding *testpolicies_binding(const struct testpolicies *all, const char *name,
                                               enum testsubject subject)
{
    for (size_t i = 0; i < all->n_bindings; i++) {
        if (all->bindings[i]->subject == subject && strcmp(all->bindings[i]->name, name) == 0)
            return all->bindings[i];
    }
    return NULL;
}

char *testpolicies_name_field(const struct testpolicy *p, struct str field_ref)
{
    const struct str below = field_ref.len == 0 ? field_ref : str_skip(field_ref, STR("spec").len);
    return mem_printf("%s%.*s", field_ref.len == 0 ? "" : p->spec, STR_ARG(below));
}

/* Returns NULL if there is none. */
static const struct policy_expression *find_expression(const struct testpolicy *p, struct policy_run_at at)
{
    struct policy_run_expression found = {NULL, NULL};
    (void)policy_run_expression(dispatch_run(p->dispatch), at, &found);
    return found.expression;
}

char *testpolicies_field(const struct testpolicy *p, struct policy_run_at at)
{
    const struct policy_expression *e = find_expression(p, at);
    return testpolicies_name_field(p, e == NULL ? STR("") : e->field_ref);
}

struct policy_run_at testpolicies_mutation(const struct testpolicy *p, size_t i)
{
    const struct policy_expression *e = find_expression(p, (struct policy_run_at){POLICY_JSON_PATCH, i});
    return (struct policy_run_at){e == NULL ? POLICY_JSON_PATCH : e->place, i};
}

/* ---- coverage ---- */

static void count_value(struct testcoverage *coverage, enum policy_run_outcome outcome)
{
    coverage->n_true += outcome == POLICY_RUN_ADMITTED;
    coverage->n_false += outcome == POLICY_RUN_DENIED;
    coverage->n_failed += outcome == POLICY_RUN_FAILED;
}

/* All match conditions are true, or the first false one is known. Each mutation is evaluated, whatever the
 * results of those before it are. */
static void count_expression(struct testcoverage *c, const struct policy_expression *e,
                             const struct policy_run_result *result, bool has_passed, bool has_object)
{
    const struct str name = result->false_condition;
    if (e->place == POLICY_MATCH_CONDITION) {
        c->n_true += has_passed;
        c->n_false += name.len != 0 && str_eq(name, e->name);
    } else if (policy_is_mutation(e->place)) {
        c->n_true += has_passed && has_object;
    }
}

void testpolicies_count(struct testpolicy *p, const struct policy_run_result *result, bool has_object)
{
    const struct policy *policy = dispatch_policy(p->dispatch);
    const bool has_passed =
        !result->is_skipped &&
        (result->decision_count == 0 || result->decisions[0].validation != POLICY_RUN_NO_VALIDATION);
    for (size_t i = 0; i < policy->count; i++)
        count_expression(&p->coverage[i], &policy->expressions[i], result, has_passed, has_object);
    for (size_t i = 0; p->subject != TESTSUBJECT_MUTATING && i < result->decision_count; i++) {
        const struct policy_run_decision *d = &result->decisions[i];
        const struct policy_expression *e =
            find_expression(p, (struct policy_run_at){POLICY_VALIDATION, d->validation});
        if (e != NULL)
            count_value(&p->coverage[e - policy->expressions], d->outcome);
    }
}

void testpolicies_close(struct testpolicies *all)
{
    schemas_put(all->schemas, NULL);
    crds_free(all->crds);
    for (size_t i = 0; i < all->count; i++)
        free_policy(all->items[i]);
    mem_free(all->items);
    for (size_t i = 0; i < all->n_bindings; i++) {
        mem_free(all->bindings[i]->problem);
        mem_free(all->bindings[i]);
    }
    mem_free(all->bindings);
    for (size_t i = 0; i < all->n_findings; i++) {
        struct testfinding *f = &all->findings[i];
        mem_free(f->file);
        mem_free(f->name);
        mem_free(f->headline);
        mem_free(f->text);
        mem_free(f->hint);
        mem_free(f->object);
        mem_free(f->field);
        mem_free(f->title);
        mem_free(f->why);
        mem_free(f->server);
        mem_free(f->remedy);
        frame_deinit(&f->frame);
    }
    mem_free(all->findings);
    for (size_t i = 0; i < TESTSUBJECTS; i++)
        keymap_deinit(&all->by_name[i], NULL);
    keymap_deinit(&all->by_place, NULL);
}
