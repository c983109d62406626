#include "cmd/kubectl-vapcheck/output/summary.h"

#include <stdio.h>
#include <string.h>

#include "client/base/print.h"

static enum summary_state state_of(const struct found *found)
{
    if (found_has(found, FINDING_REFUSED))
        return SUMMARY_REFUSED;
    if (found_has_fault_besides(found, FINDING_LIMIT_REACHED))
        return SUMMARY_FAULTY;
    if (found_is_unchecked(found))
        return SUMMARY_UNCHECKED;
    return found_has(found, FINDING_POLICY_NOT_AMONG_FILES) ? SUMMARY_WITHOUT_POLICY : SUMMARY_CLEAN;
}

void summary_add_remark(struct summary *s, enum finding_id id, enum finding_severity severity)
{
    s->severities[severity]++;
    s->ids[id]++;
}

void summary_add(struct summary *s, const char *kind, const struct found *found)
{
    s->objects[objectkind_words_of(kind)]++;
    s->states[state_of(found)]++;
    for (size_t i = 0; i < found->count; i++) {
        const struct found_item *item = &found->items[i];
        if (item->is_counted) /* once, as a remark */
            continue;
        summary_add_remark(s, item->id, item->severity);
        s->fixable_ids[item->id] += item->is_fixable;
    }
}

void summary_skip(struct summary *s, const char *kind)
{
    const enum objectkind named = objectkind_named(kind);
    if (named == OBJECTKIND_CRD)
        s->definitions++;
    else if (named == OBJECTKIND_COMPOSITE)
        s->composites++;
    else
        s->skipped++;
}

static size_t count_fixable(const struct summary *s)
{
    size_t count = 0;
    for (size_t i = 0; i < FINDING_COUNT && !s->is_fixing; i++)
        count += s->fixable_ids[i];
    return count;
}

void summary_print_statistics(const struct summary *s)
{
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if (s->ids[i] == 0)
            continue;
        print_part(stdout, "%6zu  %s", s->ids[i], finding_pages[i].id);
        if (s->fixable_ids[i] > 0 && !s->is_fixing)
            print_part(stdout, " (%zu can be fixed with --fix)", s->fixable_ids[i]);
        print_line(stdout, "%s", "");
    }
    print_line(stdout, "%s", "");
}

/* "2 errors, 1 advice". */
static void print_severities(const struct summary *s)
{
    static const struct {
        const char *one, *many;
    } words[] = {[FINDING_ERROR] = {"error", "errors"},
                 [FINDING_WARNING] = {"warning", "warnings"},
                 [FINDING_NOTE] = {"note", "notes"},
                 [FINDING_ADVICE] = {"advice", "advice"}};
    static const enum finding_severity order[] = {FINDING_ERROR, FINDING_WARNING, FINDING_ADVICE,
                                                  FINDING_NOTE};
    const char *before = "";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const size_t count = s->severities[order[i]];
        if (count == 0)
            continue;
        print_part(stdout, "%s%zu %s", before, count,
                   count == 1 ? words[order[i]].one : words[order[i]].many);
        before = ", ";
    }
    if (*before == '\0')
        print_part(stdout, "nothing found");
}

/* "3 policies, 1 binding"; returns how many objects. *only: their kind, if they have only one. */
static size_t print_objects(const struct summary *s, const struct objectkind_words **only)
{
    static const struct objectkind_words mixed = {"object", "objects"};
    size_t total = 0, n_kinds = 0;
    *only = &mixed;
    for (size_t i = 0; i < OBJECTKIND_WORDS_COUNT; i++) {
        const size_t count = s->objects[i];
        if (count == 0)
            continue;
        print_part(stdout, "%s%zu %s", n_kinds == 0 ? "" : ", ", count,
                   count == 1 ? objectkind_words[i].one : objectkind_words[i].many);
        total += count;
        *only = ++n_kinds == 1 ? &objectkind_words[i] : &mixed;
    }
    if (total == 0)
        print_part(stdout, "0 policies");
    return total;
}

/* ": 1 policy is clean, 2 have errors or warnings". */
static void print_states(const struct summary *s, const struct objectkind_words *kind)
{
    static const struct {
        enum summary_state state;
        const char *one, *many;
    } words[] = {{SUMMARY_CLEAN, "is clean", "are clean"},
                 {SUMMARY_REFUSED, "is refused", "are refused"},
                 {SUMMARY_FAULTY, "has errors or warnings", "have errors or warnings"},
                 {SUMMARY_UNCHECKED, "is not fully checked", "are not fully checked"},
                 {SUMMARY_WITHOUT_POLICY, "is without its policy", "are without their policies"}};
    bool is_first = true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t count = s->states[words[i].state];
        if (count == 0)
            continue;
        print_part(stdout, "%s%zu ", is_first ? ": " : ", ", count);
        if (is_first)
            print_part(stdout, "%s ", count == 1 ? kind->one : kind->many);
        print_part(stdout, "%s", count == 1 ? words[i].one : words[i].many);
        is_first = false;
    }
}

static void print_schemas(const struct summary *s)
{
    const bool is_of_cluster = strcmp(s->schemas, "cluster") == 0,
               is_of_directory = strcmp(s->schemas, "directory") == 0;
    print_part(stdout, " (Kubernetes %s, %s).", s->kube_version,
               is_of_cluster     ? "schemas of the cluster"
               : is_of_directory ? "schemas of --schemas"
                                 : "built-in schemas");
}

/* A part of the last sentence, " 1 CRD was read for its type; 4 other objects were skipped.". */
static void print_besides(size_t count, const char *one, const char *many, bool *has_more)
{
    if (count == 0)
        return;
    print_part(stdout, "%s%zu %s", *has_more ? "; " : " ", count, count == 1 ? one : many);
    *has_more = true;
}

void summary_print(const struct summary *s)
{
    const struct objectkind_words *kind;
    const size_t fixable = count_fixable(s);
    bool has_more = false;
    print_severities(s);
    print_part(stdout, " in ");
    if (print_objects(s, &kind) > 0)
        print_states(s, kind);
    print_schemas(s);
    if (fixable > 0)
        print_part(stdout, " %zu can be fixed with --fix.", fixable);
    print_besides(s->definitions, "CRD was read for its type", "CRDs were read for their types", &has_more);
    print_besides(s->composites, "XRD was read for its type", "XRDs were read for their types", &has_more);
    print_besides(s->skipped, "other object was skipped", "other objects were skipped", &has_more);
    print_besides(s->left_out, "directory was left out", "directories were left out", &has_more);
    print_besides(s->unreadable, "place could not be read", "places could not be read", &has_more);
    if (s->suppressed != NULL)
        print_part(stdout, "%s%s", has_more ? "; " : " ", s->suppressed);
    print_line(stdout, "%s", has_more || s->suppressed != NULL ? "." : "");
}
