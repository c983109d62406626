#include "cmd/kubectl-vapcheck/status_cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/text/jsonval.h"
#include "client/text/yaml_write.h"
#include "cmd/kubectl-vapcheck/bindings_status.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/statusrow.h"
#include "controller/match/objectkind.h"

#define GROUP_VERSION "admissionregistration.k8s.io/v1"
#define POLICIES      "/apis/" GROUP_VERSION "/validatingadmissionpolicies"
#define BINDINGS      "/apis/" GROUP_VERSION "/validatingadmissionpolicybindings"

/* Seconds between two looks of --watch, and at most after one that failed; columns of a name. */
enum {
    PERIOD_S = 2,
    PERIOD_MAX_S = 30,
    NARROWEST = 4,
    WIDEST = 34,
    LINE_CAP_BYTES = 65536,
    YAML_CAP_BYTES = 256 * 1024 * 1024
};

/* The columns that a table has after the name. A column that is not last and has no width is as wide as its
 * widest cell. */
struct layout {
    enum objectkind kind;
    const char *list; /* the member of JSON */
    struct {
        const char *head;
        int width;
    } columns[STATUSROW_COLUMNS];
    size_t last, last_of_wide; /* column */
    size_t age;
};

/* The widest cells are "builtin" and "Unknown". */
static const struct layout policies_layout = {
    .kind = OBJECTKIND_POLICY,
    .list = "policies",
    .columns =
        {
            [STATUSROW_TYPES] = {"TYPES", 5},
            [STATUSROW_WARNINGS] = {"WARNINGS", 8},
#define COLUMN(place, head, width) [STATUSROW_CONDITION + (place)] = {head, width},
#define HIDDEN
#define CONDITION(name, type, object, event, findings, column) column
#include "controller/findings/conditions.def"
            [STATUSROW_AGE] = {"AGE", 5},
            [STATUSROW_MESSAGE] = {"MESSAGE", 0},
        },
    .last = STATUSROW_AGE,
    .last_of_wide = STATUSROW_MESSAGE,
    .age = STATUSROW_AGE,
};

/* ORDER BINDINGS_STATUS_COLUMNS */
static const struct layout bindings_layout = {
    .kind = OBJECTKIND_BINDING,
    .list = "bindings",
    .columns = {{"POLICY", 0}, {"FOUND", 5}, {"PARAMS", 7}, {"AGE", 5}, {"PROBLEM", 0}},
    .last = BINDINGS_STATUS_PROBLEM,
    .last_of_wide = BINDINGS_STATUS_PROBLEM,
    .age = BINDINGS_STATUS_AGE,
};

struct run {
    const struct options *options;
    const struct layout *layout;
    struct json_object *policies, *bindings; /* the objects of the rows */
    struct statusrow *rows;                  /* in the server's order */
    size_t n_rows;
    struct json_object *shown; /* by name: the row as it was printed; of --watch */
};

/* ---- the cluster ---- */

static struct json_object *read_tree(struct remote *remote, const char *path, struct err *err)
{
    struct json_object *tree = NULL;
    const char *bytes;
    size_t len;
    if (remote_get(remote, path, &bytes, &len, err) != 0) {
        if (err->code == ERR_NOT_FOUND)
            err_set(err, ERR_NOT_FOUND,
                    "this server has no " GROUP_VERSION " policies, as Kubernetes 1.30 and later have");
        return NULL;
    }
    if (jsonval_parse(bytes, len, &tree, err) != 0)
        err_prefix(err, "GET %s", path);
    return tree;
}

static bool is_asked_for(const struct run *r, const char *name)
{
    for (size_t i = 0; i < r->options->n_names; i++) {
        if (strcmp(r->options->names[i], name) == 0)
            return true;
    }
    return r->options->n_names == 0;
}

static void free_rows(struct run *r)
{
    for (size_t i = 0; i < r->n_rows; i++)
        statusrow_deinit(&r->rows[i]);
    mem_free(r->rows);
    json_object_put(r->policies);
    json_object_put(r->bindings);
    r->policies = r->bindings = NULL;
    r->rows = NULL;
    r->n_rows = 0;
}

static void fill_policies(struct run *r, const struct discovery *discovery)
{
    struct json_object *items = jsonval_array(r->policies, "items");
    r->rows = mem_array(jsonval_length(items) + 1, sizeof *r->rows);
    for (size_t i = 0; i < jsonval_length(items); i++) {
        struct json_object *policy = jsonval_at(items, i);
        if (is_asked_for(r, jsonval_metadata(policy, "name")))
            statusrow_init(&r->rows[r->n_rows++], policy, jsonval_array(r->bindings, "items"), discovery,
                           time(NULL));
    }
}

static void fill_bindings(struct run *r, struct remote *remote, const struct discovery *discovery)
{
    struct json_object *items = jsonval_array(r->bindings, "items");
    struct bindings_status s;
    bindings_status_init(&s, remote, jsonval_array(r->policies, "items"), discovery);
    r->rows = mem_array(jsonval_length(items) + 1, sizeof *r->rows);
    for (size_t i = 0; i < jsonval_length(items); i++) {
        struct json_object *binding = jsonval_at(items, i);
        if (is_asked_for(r, jsonval_metadata(binding, "name")))
            bindings_status_row(&s, &r->rows[r->n_rows++], binding, time(NULL));
    }
    bindings_status_deinit(&s);
}

/* The rows as they are now. */
static int read_rows(struct run *r, struct err *err)
{
    struct remote *remote;
    struct discovery *discovery = NULL;
    free_rows(r);
    if (remote_open(&r->options->cluster, &remote, err) != 0)
        return -1;
    r->policies = read_tree(remote, POLICIES, err);
    r->bindings = r->policies == NULL ? NULL : read_tree(remote, BINDINGS, err);
    int answer = r->bindings == NULL ? -1 : remote_discovery(remote, &discovery, err);
    if (answer == 0 && r->options->is_bindings)
        fill_bindings(r, remote, discovery);
    else if (answer == 0)
        fill_policies(r, discovery);
    discovery_free(discovery);
    remote_close(remote);
    return answer;
}

/* ---- printing ---- */

static void print_tree(struct run *r)
{
    struct json_object *all = json_object_new_object(), *list = json_object_new_array();
    for (size_t i = 0; i < r->n_rows; i++)
        jsonval_append(list, json_object_get(r->rows[i].json));
    jsonval_set(all, "version", json_object_new_int(1));
    jsonval_set(all, r->layout->list, list);
    if (r->options->format == OUTPUT_FORMAT_JSON) {
        output_print_json(all);
        return;
    }
    cleanup_buf struct buf text;
    buf_init(&text, YAML_CAP_BYTES);
    yaml_write(&text, all);
    print_raw(stdout, "%s", text.data);
    json_object_put(all);
}

static int name_width(const struct run *r)
{
    size_t width = NARROWEST;
    for (size_t i = 0; i < r->n_rows; i++) {
        size_t len = strlen(r->rows[i].name);
        width = len > width ? len : width;
    }
    return r->options->format == OUTPUT_FORMAT_TABLE && width > WIDEST ? WIDEST : (int)width;
}

static int cell_width(const struct run *r, size_t column)
{
    size_t width = strlen(r->layout->columns[column].head);
    if (r->layout->columns[column].width > 0)
        return r->layout->columns[column].width;
    for (size_t i = 0; i < r->n_rows; i++) {
        size_t len = strlen(r->rows[i].cells[column]);
        width = len > width ? len : width;
    }
    return (int)width;
}

/* name, then the cells; a name that does not fit is cut, and ends in "~". */
static char *format_row(const struct run *r, int width, const char *name, const char *const *cells)
{
    struct buf line;
    const size_t last = r->options->format == OUTPUT_FORMAT_WIDE ? r->layout->last_of_wide : r->layout->last;
    bool is_cut = strlen(name) > (size_t)width;
    buf_init(&line, LINE_CAP_BYTES);
    buf_printf(&line, "%-*.*s%s", is_cut ? width - 1 : width, is_cut ? width - 1 : width, name,
               is_cut ? "~" : "");
    for (size_t i = 0; i <= last; i++)
        buf_printf(&line, "   %-*s", i == last ? 0 : cell_width(r, i), cells[i]);
    char *text = buf_take(&line, NULL);
    for (size_t len = strlen(text); len > 0 && text[len - 1] == ' '; len--)
        text[len - 1] = '\0';
    return text;
}

static void print_row(struct run *r, int width, const struct statusrow *row)
{
    const char *cells[STATUSROW_COLUMNS];
    for (size_t i = 0; i < STATUSROW_COLUMNS; i++)
        cells[i] = row->cells[i];
    cleanup_mem char *line = format_row(r, width, row->name, cells);
    /* its age alone is no news */
    cells[r->layout->age] = "";
    char *without_age = format_row(r, width, row->name, cells);
    struct json_object *last = jsonval_get(r->shown, row->name);
    if (last == NULL || strcmp(json_object_get_string(last), without_age) != 0) {
        print_line(stdout, "%s", line);
        jsonval_set(r->shown, row->name, json_object_new_string(without_age));
    }
    mem_free(without_age);
}

static void print_table(struct run *r, bool has_head)
{
    const char *heads[STATUSROW_COLUMNS];
    int width = name_width(r);
    for (size_t i = 0; i < STATUSROW_COLUMNS; i++)
        heads[i] = r->layout->columns[i].head;
    cleanup_mem char *head = format_row(r, width, "NAME", heads);
    if (has_head)
        print_line(stdout, "%s", head);
    for (size_t i = 0; i < r->n_rows; i++)
        print_row(r, width, &r->rows[i]);
    fflush(stdout);
}

/* ---- the command ---- */

static int complain_of_missing(const struct run *r)
{
    int missing = 0;
    for (size_t i = 0; i < r->options->n_names; i++) {
        size_t j = 0;
        while (j < r->n_rows && strcmp(r->rows[j].name, r->options->names[i]) != 0)
            j++;
        if (j < r->n_rows)
            continue;
        print_line(stderr, "kubectl-vapcheck status: there is no %s \"%s\"",
                   objectkind_rows[r->layout->kind].name, r->options->names[i]);
        missing = 2;
    }
    return missing;
}

static void print_rows(struct run *r, bool is_first)
{
    if (r->options->format == OUTPUT_FORMAT_JSON || r->options->format == OUTPUT_FORMAT_YAML)
        print_tree(r);
    else if (r->n_rows > 0 || !is_first)
        print_table(r, is_first);
    else if (r->options->n_names == 0)
        print_line(stderr, "there is no %s in this cluster", objectkind_rows[r->layout->kind].name);
}

/* 0, or -1 with err where the cluster does not answer. */
static int show(struct run *r, bool is_first, struct err *err)
{
    if (read_rows(r, err) != 0)
        return -1;
    print_rows(r, is_first);
    return 0;
}

/* Shows the table again and again until the user stops it: a server that does not answer for a while, as in a
 * restart, does not end it. */
static void watch(struct run *r)
{
    struct timespec period = {.tv_sec = PERIOD_S};
    struct err err = {0}, last = {0};
    for (;;) {
        nanosleep(&period, NULL);
        err_clear(&err);
        if (show(r, false, &err) == 0) {
            period.tv_sec = PERIOD_S;
            err_clear(&last);
            continue;
        }
        if (strcmp(err.msg, last.msg) != 0)
            print_line(stderr, "kubectl-vapcheck status: %s; trying again", err.msg);
        last = err;
        period.tv_sec = period.tv_sec * 2 < PERIOD_MAX_S ? period.tv_sec * 2 : PERIOD_MAX_S;
    }
}

int status_cmd(const struct options *o)
{
    struct run r = {.options = o,
                    .layout = o->is_bindings ? &bindings_layout : &policies_layout,
                    .shown = json_object_new_object()};
    struct err err = {0};
    int status = 2;
    if (o->is_watch && o->format != OUTPUT_FORMAT_TABLE && o->format != OUTPUT_FORMAT_WIDE)
        print_line(stderr, "kubectl-vapcheck status: --watch needs --output table or wide");
    else if (show(&r, true, &err) != 0)
        print_line(stderr, "kubectl-vapcheck status: %s", err.msg);
    else
        status = complain_of_missing(&r);
    if (o->is_watch && status == 0)
        watch(&r);
    free_rows(&r);
    json_object_put(r.shown);
    return status;
}
