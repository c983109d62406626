#include "cmd/kubectl-vapcheck/check/policy_advice.h"

#include <string.h>

#include "client/base/mem.h"

static void add(struct policy_advice *advice, enum finding_id id, const char *field, char *text,
                const char *hint)
{
    advice->texts[advice->count] = text;
    advice->items[advice->count++] =
        (struct output_extra){.id = id, .field = field, .text = text, .hint = hint};
}

/* ---- an expression that fails, and nobody notices ---- */

/* A message that fails is replaced by the default one. */
static const struct output_warning *find_failure(const struct policyview *policy,
                                                 const struct output_warning *warnings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool fails = false;
        for (size_t j = 0; j < warnings[i].n_issues; j++)
            fails = fails || (!warnings[i].issues[j].is_claim && !warnings[i].issues[j].is_unequal);
        if (fails && policy->policy.expressions[warnings[i].expression].place != POLICY_MESSAGE)
            return &warnings[i];
    }
    return NULL;
}

static void look_for_ignored(struct policy_advice *advice, const struct policyview *policy,
                             const struct output_warning *warnings, size_t count)
{
    const struct output_warning *failure = find_failure(policy, warnings, count);
    if (policy->policy.ignores_failures && failure != NULL)
        add(advice, FINDING_IGNORED_FAILURE, "spec.failurePolicy",
            mem_printf("with failurePolicy Ignore, the requests for which %s fails are allowed, and nobody "
                       "is warned\n",
                       failure->field),
            "correct the expression, or write \"failurePolicy: Fail\"");
}

/* ---- containers that come by another resource ---- */

static bool is_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[strlen(word)]))
            return true;
    }
    return false;
}

/* Returns true if an expression that decides about a request has one of the words; NULL ends them. */
static bool decides_by(const struct policyview *policy, const char *const *words)
{
    for (size_t i = 0; i < policy->policy.count; i++) {
        const struct policy_expression *e = &policy->policy.expressions[i];
        const bool decides = e->place == POLICY_VALIDATION || e->place == POLICY_VARIABLE;
        for (size_t j = 0; decides && words[j] != NULL; j++) {
            if (has_word(e->text.at, words[j]))
                return true;
        }
    }
    return false;
}

/* No ephemeral container has what the API server forbids in them: a policy that asks for nothing else need
 * not be asked about them. Each policy may read a container's name, to say which one it means. */
static bool reads_ephemeral_containers(const struct policyview *policy)
{
    static const char *const containers[] = {"ephemeralContainers", NULL};
    static const char *const forbidden[] = {"ports",     "livenessProbe", "readinessProbe", "startupProbe",
                                            "lifecycle", "resources",     "resizePolicy",   NULL};
    static const char *const allowed[] = {"image",
                                          "imagePullPolicy",
                                          "command",
                                          "args",
                                          "workingDir",
                                          "env",
                                          "envFrom",
                                          "volumeMounts",
                                          "volumeDevices",
                                          "terminationMessagePath",
                                          "securityContext",
                                          "terminationMessagePolicy",
                                          "stdin",
                                          "stdinOnce",
                                          "tty",
                                          "targetContainerName",
                                          NULL};
    return decides_by(policy, containers) && (!decides_by(policy, forbidden) || decides_by(policy, allowed));
}

static bool lists(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i < count;
}

static bool matches(const struct matchrules *match, const char *const *resources, size_t count)
{
    for (size_t i = 0; i < match->n_rules; i++) {
        const struct matchrules_rule *rule = &match->rules[i];
        const bool is_core =
            lists(rule->groups, rule->n_groups, "") || lists(rule->groups, rule->n_groups, "*");
        for (size_t j = 0; is_core && j < count; j++) {
            if (lists(rule->resources, rule->n_resources, resources[j]))
                return true;
        }
    }
    return false;
}

static void look_for_ephemeral(struct policy_advice *advice, const struct policyview *policy)
{
    static const char *const pods[] = {"pods", "*", "*/*"};
    static const char *const ways[] = {"pods/ephemeralcontainers", "pods/*", "*/ephemeralcontainers", "*/*"};
    if (policy->kind != POLICYVIEW_VALIDATING || !reads_ephemeral_containers(policy) ||
        !matches(&policy->match, pods, sizeof pods / sizeof *pods) ||
        matches(&policy->match, ways, sizeof ways / sizeof *ways))
        return;
    add(advice, FINDING_EPHEMERAL_CONTAINERS, "spec.matchConstraints.resourceRules",
        mem_strdup("ephemeral containers are added to a pod by pods/ephemeralcontainers, which no rule "
                   "names: an UPDATE of pods/ephemeralcontainers (kubectl debug) is not checked\n"),
        "add \"pods/ephemeralcontainers\" to the resources, with the operation UPDATE");
}

void policy_advice_init(struct policy_advice *advice, const struct policyview *policy,
                        const struct output_warning *warnings, size_t count,
                        const struct finding_set *selected)
{
    *advice = (struct policy_advice){.count = 0};
    if (finding_set_has(*selected, FINDING_IGNORED_FAILURE) && policy->kind != POLICYVIEW_WEBHOOKS)
        look_for_ignored(advice, policy, warnings, count);
    if (finding_set_has(*selected, FINDING_EPHEMERAL_CONTAINERS))
        look_for_ephemeral(advice, policy);
}

void policy_advice_deinit(struct policy_advice *advice)
{
    for (size_t i = 0; i < advice->count; i++)
        mem_free(advice->texts[i]);
}
