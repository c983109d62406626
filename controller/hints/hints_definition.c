/*
 * hints.h for CustomResourceDefinitions. For each refused text of a rule, find_place finds the version and
 * the rule in the definition. A trial puts the text that is tried into the rule, checks a definition that has
 * this version alone, and puts the old text back. The version is not copied: the trials change the definition
 * of the caller, and leave it as it was.
 */
#include <string.h>

#include "bytes/budget.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"
#include "controller/apiserver/crd/crdrules.h"
#include "controller/apiserver/crd/crdversion.h"
#include "controller/hints/hints.h"
#include "controller/hints/hints_search.h"
#include "typecheck/text.h"

enum {
    TRIAL_STEPS = 2000, /* the price of beginning a trial, so that short trials use up the budget, too */
    SLICE_STEPS = 100 * 1000, /* of a trial, until it looks again if the budget is used up */
};

/* At most this many names are compared with a misspelled one, from schemas that are nested so deep. */
enum { MAX_NAMES = 1000, MAX_DEPTH = 64 };

/* The paths of properties below the schema of the rule: the names that the rule can use. */
struct names {
    struct str *list;
    char **texts; /* the same, to be freed */
    size_t count;
};

/* One text of one rule, whose correction is searched for. The JSON belongs to the definition of the
 * caller. */
struct unit {
    const struct hints_cluster *cluster;
    struct json_object *definition; /* of its version alone */
    struct json_object *rule;
    struct json_object *schema; /* whose rule it is */
    const char *member;         /* rule, messageExpression */
    char *field;                /* in that definition */
    struct names names;         /* those that are names in CEL */
};

static bool is_name(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return *text != '\0' && !str_is_digit(*text) && strspn(text, letters) == strlen(text);
}

static char *add_name(struct names *names, const char *path, const char *name)
{
    char *below = mem_printf("%s%s%s", path, *path == '\0' ? "" : ".", name);
    names->list = mem_realloc(names->list, names->count + 1, sizeof *names->list);
    names->texts = mem_realloc(names->texts, names->count + 1, sizeof *names->texts);
    names->texts[names->count] = below;
    names->list[names->count++] = str_of(below);
    return below;
}

/* The paths of all properties below the schema, which is at `path`. Items add no name to a path. */
static void add_names(struct names *names, struct json_object *schema, const char *path, int depth)
{
    static const enum crdchild_way data[] = {CRDCHILD_PROPERTY, CRDCHILD_ITEMS, CRDCHILD_ADDITIONAL,
                                             CRDCHILD_END};
    struct crdchild child = crdchild_in(schema, data);
    while (depth <= MAX_DEPTH && crdchild_next(&child)) {
        if (child.name == NULL) {
            add_names(names, child.schema, path, depth + 1);
            continue;
        }
        if (names->count == MAX_NAMES)
            return;
        if (is_name(child.name))
            add_names(names, child.schema, add_name(names, path, child.name), depth + 1);
    }
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        mem_free(names->texts[i]);
    mem_free(names->texts);
    mem_free(names->list);
}

/* Puts the refusals of the tried text into the trial. */
static void describe(const struct crdrules *found, const char *field, struct str text,
                     struct hints_trial *trial)
{
    trial->rank = found->n_unchecked > 0 ? HINTS_UNKNOWN : HINTS_GOOD;
    for (size_t i = 0; i < found->refusals.count && trial->rank == HINTS_GOOD; i++) {
        const struct fielderror *e = &found->refusals.items[i];
        const struct compile_problem problem = {
            .text = str_of(e->message), .issues = e->issues, .issue_count = e->n_issues};
        if (strcmp(e->field, field) == 0)
            hints_trial_refuse(trial, &problem, text);
    }
}

static void put(struct unit *u, struct str text)
{
    jsonval_set(u->rule, u->member, json_object_new_string_len(text.at, (int)text.len));
}

static bool try_text(void *user, struct str text, uint64_t *left, uint64_t steps, struct hints_trial *trial)
{
    struct unit *u = user;
    (void)steps; /* the trial is done at once */
    struct crdrules found = {.refusals = {.minor = u->cluster->types.minor}};
    struct json_object *kept = json_object_get(jsonval_get(u->rule, u->member));
    uint64_t spent = 0;
    bool has_more = true;
    put(u, text);
    struct crdrules_run *run = crdrules_start(u->definition, u->cluster->new_env, &found);
    while (has_more && spent < *left) {
        has_more = crdrules_step(run, SLICE_STEPS);
        spent = TRIAL_STEPS + crdrules_steps(run);
    }
    trial->rank = HINTS_UNKNOWN;
    if (!has_more)
        describe(&found, u->field, text, trial);
    crdrules_end(run);
    crdrules_deinit(&found);
    jsonval_set(u->rule, u->member, kept);
    budget_pay(left, spent);
    return false;
}

/* ---- the place of a refusal ---- */

/* Makes a definition that has this version alone. It shares the JSON of the version; the caller puts it. */
static struct json_object *only_version(struct json_object *version)
{
    struct json_object *definition = json_object_new_object(), *spec = json_object_new_object();
    struct json_object *versions = json_object_new_array();
    jsonval_append(versions, json_object_get(version));
    jsonval_set(spec, "versions", versions);
    jsonval_set(definition, "spec", spec);
    return definition;
}

/* The rule that a path below a schema names, whose it is, and which of its texts; NULL: it names none. */
static struct json_object *find_rule(struct json_object *schema, const char *path, const char **member,
                                     struct json_object **owner)
{
    char name[256];
    struct json_object *at = schema;
    while (at != NULL && *path != '\0') {
        if (strcmp(path, ".rule") == 0 || strcmp(path, ".messageExpression") == 0) {
            *member = path[1] == 'r' ? "rule" : "messageExpression";
            return json_object_is_type(jsonval_get(at, *member), json_type_string) ? at : NULL;
        }
        if (!crdversion_step(&path, name, sizeof name))
            return NULL;
        *owner = strcmp(name, "x-kubernetes-validations") == 0 ? at : *owner;
        at = json_object_is_type(at, json_type_array) ? jsonval_at(at, strtoul(name, NULL, 10))
                                                      : jsonval_get(at, name);
    }
    return NULL;
}

/* Finds the rule that a refusal is about. Returns false if it is not about a rule's text. If all versions
 * share a schema, its field names no version. */
static bool find_place(struct json_object *definition, const char *field, struct unit *u,
                       struct json_object **version)
{
    static const char shared[] = "spec.validation.openAPIV3Schema";
    const char *path = field + sizeof shared - 1;
    *version = strncmp(field, shared, sizeof shared - 1) == 0
                   ? jsonval_at(jsonval_array(jsonval_get(definition, "spec"), "versions"), 0)
                   : crdversion_find(definition, field, &path);
    if (*version == NULL)
        return false;
    u->rule = find_rule(crdversion_schema(*version), path, &u->member, &u->schema);
    if (u->rule == NULL)
        return false;
    u->field = mem_printf("%s%s", shared, path);
    return true;
}

static struct hint *search(struct unit *u, uint64_t *left)
{
    const struct hints_search of_rules = {
        .try = try_text,
        .user = u,
        .env = u->cluster->new_env,
        .scope = {.is_crd_rule = true, .fields = u->names.list, .field_count = u->names.count},
    };
    struct json_object *value = json_object_get(jsonval_get(u->rule, u->member));
    struct str text = {json_object_get_string(value), (size_t)json_object_get_string_len(value)};
    struct hint *hint = hints_search_whole(&of_rules, text, left);
    json_object_put(value);
    return hint;
}

void hints_of_definition(const struct hints_cluster *cluster, struct json_object *definition,
                         const struct fielderrors *refusals, struct hints *out)
{
    uint64_t left = HINTS_MAX_STEPS;
    *out = (struct hints){0};
    for (size_t i = 0; i < refusals->count && left > 0; i++) {
        struct unit u = {.cluster = cluster};
        struct json_object *version;
        if (refusals->items[i].hint != NULL ||
            !find_place(definition, refusals->items[i].field, &u, &version))
            continue;
        u.definition = only_version(version);
        add_names(&u.names, u.schema, "", 0);
        hints_put(out, refusals->items[i].field, search(&u, &left));
        json_object_put(u.definition);
        mem_free(u.field);
        free_names(&u.names);
    }
}
