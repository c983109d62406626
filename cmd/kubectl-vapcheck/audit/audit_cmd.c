#include "cmd/kubectl-vapcheck/audit/audit_cmd.h"

#include <stdio.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/audit/audit.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"

/* A UserInfo. */
static struct json_object *make_user(const char *name, const char *const *groups, size_t count)
{
    struct json_object *user = json_object_new_object(), *list = json_object_new_array();
    jsonval_set(user, "username", json_object_new_string(name));
    for (size_t i = 0; i < count; i++)
        jsonval_append(list, json_object_new_string(groups[i]));
    jsonval_append(list, json_object_new_string("system:authenticated"));
    jsonval_set(user, "groups", list);
    return user;
}

/* The server is asked who we are; where it does not say, we are an administrator. */
static void find_user(struct audit *a)
{
    const struct options *o = a->options;
    struct err err = {0};
    if (o->user == NULL && a->remote != NULL && remote_user(a->remote, &a->user_info, &err) == 0)
        return;
    if (o->user == NULL && a->remote != NULL)
        print_line(stderr, "kubectl-vapcheck audit: the server does not say who the user is: %s", err.msg);
    a->user_info = make_user(o->user == NULL ? "kubernetes-admin" : o->user, o->groups, o->n_groups);
}

static int open_all(struct audit *a, struct err *err)
{
    const struct options *o = a->options;
    if (check_open_schemas(o, &a->schemas, err) != 0)
        return -1;
    if (o->is_live && remote_open(&o->cluster, &a->remote, err) != 0)
        return -1;
    options_open_inputs(o, &a->inputs);
    inputs_keep(&a->inputs);
    a->crds = crds_new();
    rfc3339_now(a->now, RFC3339_SECONDS);
    a->report.format = auditreport_find(o->format);
    a->report.book = &a->book;
    a->report.style = &o->style;
    a->report.schemas = options_schemas(o);
    a->report.is_of_files = !o->is_live;
    return 0;
}

static void run(struct audit *a)
{
    rulebook_bind(&a->book);
    for (size_t i = 0; i < a->book.count; i++)
        surroundings_need(&a->surroundings, a->book.items[i].json);
    find_user(a);
    audit_files_surround(a);
    auditreport_begin(&a->report);
    if (a->remote != NULL)
        audit_cluster_run(a);
    else
        audit_files_run(a);
    progress_end(&a->progress);
    a->report.n_assumed = a->surroundings.n_assumed;
    auditreport_end(&a->report);
}

static int audit(struct audit *a, struct err *err)
{
    if (open_all(a, err) != 0)
        return -1;
    audit_files_gather(a);
    schemas_put(a->schemas, a->crds);
    a->book.env = schemas_env(a->schemas);
    a->book.new_env = schemas_new_env(a->schemas);
    a->book.minor = schemas_minor(a->schemas);
    a->surroundings.discovery = schemas_discovery(a->schemas);
    a->surroundings.schemas = a->schemas;
    a->surroundings.remote = a->remote;
    if (a->remote != NULL && audit_cluster_gather(a, err) != 0)
        return -1;
    if (a->book.count == 0 && a->report.errors == NULL) {
        print_line(stderr,
                   "kubectl-vapcheck audit: there is no ValidatingAdmissionPolicy and no "
                   "MutatingAdmissionPolicy [%s]",
                   finding_pages[FINDING_NOTHING_CHECKED].id);
        a->has_nothing = true;
    }
    run(a);
    return 0;
}

static void deinit(struct audit *a)
{
    rulebook_deinit(&a->book);
    surroundings_deinit(&a->surroundings);
    auditreport_deinit(&a->report);
    keymap_deinit(&a->kinds, NULL);
    json_object_put(a->user_info);
    remote_close(a->remote);
    if (a->schemas != NULL)
        schemas_put(a->schemas, NULL);
    schemas_free(a->schemas);
    crds_free(a->crds);
    inputs_deinit(&a->inputs);
}

int audit_cmd(const struct options *o)
{
    struct err err = {0};
    struct audit a = {.options = o};
    int status = 2;
    if (audit(&a, &err) != 0) {
        print_line(stderr, "kubectl-vapcheck audit: %s", err.msg);
    } else {
        struct check_outcome outcome = {.has_failed = a.has_failed, .has_unchecked = a.has_unread};
        auditreport_judge(&a.report, &outcome.has_error, &outcome.has_warning);
        outcome.has_error = outcome.has_error || (a.has_nothing && !o->allows_empty);
        status = check_exit_status(o, &outcome);
    }
    deinit(&a);
    return status;
}
