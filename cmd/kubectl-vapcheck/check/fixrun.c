#include "cmd/kubectl-vapcheck/check/fixrun.h"

#include <stdio.h>
#include <string.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/check/fixcollect.h"
#include "cmd/kubectl-vapcheck/check/textdiff.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"

enum {
    ROUNDS_MAX = 5, /* of corrections of what is corrected */
    TRIES_MAX = 5,  /* of a round, without what makes it worse */
    VERSIONS_MAX = 32,
};

/* A file as it was read, and as it was before the round. */
struct original {
    char *text;
    size_t len;
};

struct run {
    struct options options; /* of the user, but quiet */
    struct inputs *inputs;
    struct original *originals; /* by input; text NULL: it could not be read */
    struct schemas *schemas[VERSIONS_MAX];
    size_t n_schemas;
};

static void close_schemas(struct run *r)
{
    for (size_t i = 0; i < r->n_schemas; i++)
        schemas_free(r->schemas[i]);
}

/* Opens the schemas of each version that was asked for. */
static int open_schemas(struct run *r, struct err *err)
{
    const bool is_one = options_version_count(&r->options) <= 1;
    for (size_t i = 0; i < (is_one ? 1 : bundles_count); i++) {
        if (!is_one && (r->options.versions >> i & 1) == 0)
            continue;
        struct schemas **to = &r->schemas[r->n_schemas];
        const int answer = is_one ? check_open_schemas(&r->options, to, err)
                                  : schemas_open_bytes(bundles[i].bytes, bundles[i].len, to, err);
        if (answer != 0)
            return -1;
        r->n_schemas++;
    }
    return 0;
}

/* All files, on each version. */
static void check_all(struct run *r, struct fixcollect *all)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        const struct check_request request = {.options = &r->options,
                                              .schemas = r->schemas[i],
                                              .is_bundle = !r->options.is_live && r->options.schemas == NULL,
                                              .is_quiet = true,
                                              .output = fixcollect_output(all)};
        (void)check_inputs(&request, r->inputs);
    }
}

/* Their texts are in memory from then on. */
static void read_inputs(struct run *r)
{
    r->originals = mem_array(r->inputs->count + 1, sizeof *r->originals);
    for (size_t i = 0; i < r->inputs->count; i++) {
        struct input *input = &r->inputs->items[i];
        struct original *original = &r->originals[i];
        struct buf text;
        struct err err = {0};
        buf_init(&text, YAML_TEXT_CAP_BYTES);
        if (inputs_read(input, &text, &err) != 0) {
            buf_deinit(&text);
            continue;
        }
        mem_free(input->text);
        original->text = input->text = buf_take(&text, &original->len);
        input->len = original->len;
    }
}

/* Frees a text of the input, unless it is the original one, or the one that the input has now. */
static void drop_text(const struct run *r, size_t i, char *text)
{
    if (text != r->originals[i].text && text != r->inputs->items[i].text)
        mem_free(text);
}

/* Gives the input another text, which is taken. before: the input's at the begin of the round, which stays.
 */
static void put_text(const struct run *r, size_t i, struct original before, struct original take_text)
{
    struct input *input = &r->inputs->items[i];
    char *old = input->text;
    input->text = take_text.text;
    input->len = take_text.len;
    if (old != before.text)
        drop_text(r, i, old);
}

/* The inputs have the texts that they have now, and no other texts are left. */
static void forget_originals(const struct run *r)
{
    for (size_t i = 0; i < r->inputs->count; i++) {
        if (r->originals[i].text != r->inputs->items[i].text)
            mem_free(r->originals[i].text);
    }
    mem_free(r->originals);
}

/* ---- a round ---- */

/* The edits of a file that are left; the list is the caller's, its texts are borrowed. */
static struct yaml_edit *list_edits(const struct fixcollect *all, const char *file, size_t *count)
{
    struct yaml_edit *list = NULL;
    *count = 0;
    for (size_t i = 0; i < all->n_fixes; i++) {
        const struct fixcollect_fix *fix = &all->fixes[i];
        if (fix->is_dropped || strcmp(fix->file, file) != 0)
            continue;
        list = mem_realloc(list, *count + fix->n_edits, sizeof *list);
        memcpy(&list[*count], fix->edits, fix->n_edits * sizeof *list);
        *count += fix->n_edits;
    }
    return list;
}

/* The text with the edits, if it then has the same trees but for them. The caller frees it. */
static char *change(struct original old, const struct yaml_edit *edits, size_t count, size_t *len)
{
    char *text = yaml_edit_apply(old.text, old.len, edits, count, len);
    if (text != NULL && yaml_edit_is_only((struct yaml_edit_text){old.text, old.len},
                                          (struct yaml_edit_text){text, *len}, edits, count))
        return text;
    mem_free(text);
    return NULL;
}

/* Drops each correction that cannot be written alone; if there is none, all but the first. */
static void drop_unwritable(struct fixcollect *all, const char *file, struct original old)
{
    bool is_dropped = false, is_first = true;
    for (size_t pass = 0; pass < 2 && !is_dropped; pass++) {
        for (size_t i = 0; i < all->n_fixes; i++) {
            struct fixcollect_fix *fix = &all->fixes[i];
            size_t len;
            if (fix->is_dropped || strcmp(fix->file, file) != 0)
                continue;
            char *alone = pass == 0 ? change(old, fix->edits, fix->n_edits, &len) : NULL;
            fix->is_dropped = pass == 0 ? alone == NULL : !is_first;
            is_dropped = is_dropped || fix->is_dropped;
            is_first = false;
            mem_free(alone);
        }
    }
}

/* Changes the text of the input; `before` is what it was when the corrections were found. */
static void apply(const struct run *r, struct fixcollect *all, size_t i, struct original before)
{
    const char *file = inputs_title(&r->inputs->items[i]);
    struct original changed = {0};
    size_t count = 1;
    while (changed.text == NULL && count > 0) {
        struct yaml_edit *edits = list_edits(all, file, &count);
        changed.text = count > 0 ? change(before, edits, count, &changed.len) : NULL;
        mem_free(edits);
        if (changed.text == NULL && count > 0)
            drop_unwritable(all, file, before);
    }
    put_text(r, i, before, changed.text != NULL ? changed : before);
}

/* The texts of the inputs, which are the inputs' still. The caller frees the list. */
static struct original *list_texts(const struct run *r)
{
    struct original *list = mem_array(r->inputs->count + 1, sizeof *list);
    for (size_t i = 0; i < r->inputs->count; i++) {
        const struct input *input = &r->inputs->items[i];
        if (r->originals[i].text != NULL)
            list[i] = (struct original){input->text, input->len};
    }
    return list;
}

static size_t count_left(const struct fixcollect *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->n_fixes; i++)
        count += !all->fixes[i].is_dropped;
    return count;
}

/* Makes the corrections of *all, and puts what is then found into *all. Returns false if there are none, and
 * no text is changed. */
static bool run_round(struct run *r, struct fixcollect *all)
{
    struct original *before = list_texts(r);
    struct fixcollect after = {.is_unsafe = r->options.fixes_unsafe};
    bool is_worse = true;
    for (size_t i = 0; i < TRIES_MAX && is_worse && count_left(all) > 0; i++) {
        fixcollect_deinit(&after);
        after.is_unsafe = r->options.fixes_unsafe;
        for (size_t k = 0; k < r->inputs->count; k++) {
            if (before[k].text != NULL)
                apply(r, all, k, before[k]);
        }
        check_all(r, &after);
        is_worse = fixcollect_drop_worse(all, &after);
    }
    for (size_t k = 0; k < r->inputs->count; k++) {
        if (before[k].text != NULL && is_worse)
            put_text(r, k, before[k], before[k]);
        drop_text(r, k, before[k].text);
    }
    mem_free(before);
    if (is_worse) {
        fixcollect_deinit(&after);
        return false;
    }
    fixcollect_deinit(all);
    *all = after;
    return true;
}

/* ---- the files ---- */

static bool is_changed(const struct run *r, size_t i)
{
    const struct input *input = &r->inputs->items[i];
    return r->originals[i].text != NULL &&
           (input->len != r->originals[i].len || memcmp(input->text, r->originals[i].text, input->len) != 0);
}

static int write_inputs(const struct run *r, struct fixrun *out, struct err *err)
{
    for (size_t i = 0; i < r->inputs->count; i++) {
        const struct input *input = &r->inputs->items[i];
        const struct original *old = &r->originals[i];
        if (!is_changed(r, i))
            continue;
        out->n_files++;
        if (r->options.fix == OPTIONS_DIFF)
            textdiff_print(inputs_title(input), (struct file_bytes){old->text, old->len},
                           (struct file_bytes){input->text, input->len});
        else if (file_replace(input->name, (struct file_bytes){old->text, old->len},
                              (struct file_bytes){input->text, input->len}, err) != 0)
            return -1;
    }
    return 0;
}

static int fail(struct run *r, const struct err *err)
{
    print_line(stderr, "kubectl-vapcheck check: %s", err->msg);
    close_schemas(r);
    return -1;
}

/* Standard input, the output of kustomize and the objects of a cluster have no file. */
static int check_has_files(const struct run *r, struct err *err)
{
    for (size_t i = 0; i < r->inputs->count; i++) {
        const struct input *input = &r->inputs->items[i];
        if (r->options.fix == OPTIONS_FIX && (strcmp(input->name, "-") == 0 || input->text != NULL))
            return err_set(err, ERR_INVALID, "--fix: %s is no file that can be written: use --diff",
                           inputs_title(input));
    }
    return 0;
}

int fixrun_run(const struct options *options, struct inputs *inputs, struct fixrun *out)
{
    struct run r = {.options = *options, .inputs = inputs};
    struct fixcollect all = {.is_unsafe = options->fixes_unsafe};
    struct err err = {0};
    *out = (struct fixrun){.n_fixed = 0};
    r.options.style.is_quiet = true;
    r.options.wants_witnesses = false;
    if (check_has_files(&r, &err) != 0 || open_schemas(&r, &err) != 0)
        return fail(&r, &err);
    read_inputs(&r);
    check_all(&r, &all);
    const size_t before = all.n_findings;
    for (size_t i = 0; i < ROUNDS_MAX && run_round(&r, &all); i++)
        ;
    out->n_fixed = r.n_schemas == 0 ? 0 : (before - all.n_findings) / r.n_schemas;
    const int answer = write_inputs(&r, out, &err);
    forget_originals(&r);
    fixcollect_deinit(&all);
    if (answer != 0)
        return fail(&r, &err);
    close_schemas(&r);
    return 0;
}
