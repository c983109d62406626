#include "controller/match/types_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/discovery/discovery.h"
#include "typecheck/text.h"

/* The length at which a problem's message is cut; the cost of a problem, in comparisons of names. */
enum { PROBLEM_BYTES = 512, PROBLEM_STEPS = 100 };

void types_list_spend(struct types_list *list, size_t steps)
{
    list->steps += steps;
}

bool types_list_is_exhausted(const struct types_list *list)
{
    return list->steps > TYPES_STEPS_MAX;
}

struct types_problem *types_list_add_problem(struct types_list *list, enum types_reason reason,
                                             const char *format, ...)
{
    char message[PROBLEM_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    types_list_spend(list, PROBLEM_STEPS);
    if (keymap_put(&list->messages, message, list) != NULL)
        return NULL;
    list->problems = mem_realloc(list->problems, list->n_problems + 1, sizeof *list->problems);
    list->problems[list->n_problems++] =
        (struct types_problem){.reason = reason, .message = keymap_key(&list->messages, message)};
    return &list->problems[list->n_problems - 1];
}

struct types_problem *types_list_add_unserved(struct types_list *list, const struct discovery *discovery,
                                              const char *what)
{
    if (discovery->partial != NULL)
        return types_list_add_problem(list, TYPES_LIMIT_REACHED,
                                      "it is not known whether the cluster serves %s: %s", what,
                                      discovery->partial);
    if (discovery->is_old)
        return types_list_add_problem(
            list, TYPES_CLUSTER_UNAVAILABLE,
            "it is not known whether the cluster serves %s: what it serves cannot be read", what);
    return types_list_add_problem(list, TYPES_RESOURCE_NOT_FOUND, "%s%s", types_list_nobody(list->is_partial),
                                  what);
}

const char *types_list_own(struct types_list *list, char *text)
{
    list->owned = mem_realloc(list->owned, list->n_owned + 1, sizeof *list->owned);
    list->owned[list->n_owned++] = text;
    return text;
}

void types_list_deinit(struct types_list *list)
{
    keymap_deinit(&list->messages, NULL);
    for (size_t i = 0; i < list->n_owned; i++)
        mem_free(list->owned[i]);
    mem_free(list->problems);
    mem_free(list->targets);
    mem_free(list->requests);
    mem_free(list->owned);
    *list = (struct types_list){0};
}

void types_list_add(struct types_list *list, struct types_target target)
{
    /* room for powers of two: a rule of all resources has hundreds */
    if ((list->n_targets & (list->n_targets - 1)) == 0) {
        size_t room = list->n_targets == 0 ? 1 : 2 * list->n_targets;
        list->targets = mem_realloc(list->targets, room, sizeof *list->targets);
    }
    list->targets[list->n_targets++] = target;
}

static int compare_targets(const void *left, const void *right)
{
    const struct types_target *l = left, *r = right;
    int order = strcmp(l->group, r->group);
    if (order == 0)
        order = strcmp(l->version, r->version);
    return order != 0 ? order : strcmp(l->kind, r->kind);
}

/* The same order, and one among the documents of a kind, so that the same is taken each time. */
static int compare_documents(const void *left, const void *right)
{
    const struct types_target *l = left, *r = right;
    int order = compare_targets(l, r);
    if (order == 0)
        order = strcmp(l->document_group, r->document_group);
    return order != 0 ? order : strcmp(l->document_version, r->document_version);
}

/* Compares by kind and document, then by the request, so that equal ones are neighbours. `user` is the
 * list. */
static int compare_found(const void *left, const void *right, void *user)
{
    const struct types_target *l = left, *r = right;
    const struct types_list *list = user;
    int order = compare_documents(l, r);
    if (order != 0 || l->n_requests == 0 || r->n_requests == 0)
        return order;
    const struct types_request *a = &list->requests[l->first_request], *b = &list->requests[r->first_request];
    order = strcmp(a->resource, b->resource);
    return order != 0 ? order : strcmp(a->subresource, b->subresource);
}

static bool is_same_request(const struct types_request *l, const struct types_request *r)
{
    return strcmp(l->group, r->group) == 0 && strcmp(l->version, r->version) == 0 &&
           strcmp(l->resource, r->resource) == 0 && strcmp(l->subresource, r->subresource) == 0;
}

/* Adds to the kind's requests what another rule, or another resource, brings it by. */
static void take_request(struct types_list *list, struct types_target *target,
                         const struct types_request *request)
{
    struct types_request *last = target->n_requests == 0 ? NULL : &list->requests[list->n_requests - 1];
    if (last != NULL && is_same_request(last, request)) {
        last->operations |= request->operations;
        return;
    }
    list->requests[list->n_requests++] = *request;
    target->n_requests++;
}

/* Each kind once. Until here a target had at most one request, and the list is made again of all of them. */
void types_list_unify(struct types_list *list)
{
    struct types_target *targets = list->targets;
    struct types_request *single = list->requests;
    size_t kept = 0;
    if (list->n_targets == 0)
        return;
    sort_by(targets, list->n_targets, sizeof *targets, compare_found, list);
    list->requests = mem_array(list->n_requests + 1, sizeof *list->requests);
    list->n_requests = 0;
    for (size_t i = 0; i < list->n_targets; i++) {
        struct types_target found = targets[i];
        if (kept == 0 || compare_targets(&targets[kept - 1], &found) != 0) {
            targets[kept] = found;
            targets[kept].first_request = list->n_requests;
            targets[kept++].n_requests = 0;
        }
        if (found.n_requests != 0)
            take_request(list, &targets[kept - 1], &single[found.first_request]);
    }
    list->n_targets = kept;
    mem_free(single);
}
