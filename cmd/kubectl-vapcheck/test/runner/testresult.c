#include "cmd/kubectl-vapcheck/test/runner/testresult.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

/* Limits of the lists and texts that a result has, in items and in bytes. */
enum { PARTS_MAX = 100, TEXT_MAX = 4096, FOLDED_MAX = 100, VALUE_MAX = 200 };

/* ---- texts ---- */

char *testresult_text(struct str text)
{
    const size_t cut = utf8_cut(text.at, text.len, TEXT_MAX);
    return cut == text.len ? mem_strndup(text.at, cut)
                           : mem_printf("%.*s... (%zu bytes more)", (int)cut, text.at, text.len - cut);
}

static char *cut_text(struct str text, size_t most)
{
    const size_t cut = utf8_cut(text.at, text.len, most);
    return mem_printf("%.*s%s", (int)cut, text.at, cut < text.len ? "..." : "");
}

char *testresult_fold(struct str text)
{
    char *folded = cut_text(text, FOLDED_MAX), *to = folded;
    for (const char *from = folded; *from != '\0'; from++) {
        if (strchr(" \t\r\n", *from) == NULL)
            *to++ = *from;
        else if (strchr(" \t\r\n", from[1]) == NULL) /* the last of several stands for all */
            *to++ = ' ';
    }
    *to = '\0';
    return folded;
}

/* ---- the record ---- */

static void add_note(struct testresult *out, struct testresult_remark note)
{
    out->notes = mem_grow(out->notes, out->n_notes, sizeof *out->notes);
    out->notes[out->n_notes++] = note;
}

void testresult_note(struct testresult *out, char *take_text)
{
    add_note(out, (struct testresult_remark){.text = take_text});
}

void testresult_note_peer(struct testresult *out, char *take_text)
{
    add_note(out, (struct testresult_remark){.text = take_text, .is_of_peer = true});
}

void testresult_set_why(struct testresult *out, enum testresult_verdict verdict, struct testplace place,
                        char *take_why)
{
    mem_free(out->why);
    out->verdict = verdict;
    out->why = take_why;
    out->why_place = place;
}

void testresult_add_part(struct testresult *out, char *take_field, const struct policy_run_at *which,
                         const char *value, struct str text)
{
    if (out->n_parts == PARTS_MAX) {
        mem_free(take_field);
        return;
    }
    out->parts = mem_grow(out->parts, out->n_parts, sizeof *out->parts);
    out->parts[out->n_parts++] = (struct testresult_part){.field = take_field,
                                                          .at = output_where(&out->policy->place, take_field),
                                                          .value = value,
                                                          .text = testresult_text(text),
                                                          .is_expression = which != NULL};
    if (which != NULL)
        out->parts[out->n_parts - 1].which = *which;
}

static void add_values(struct testresult_part *part, struct policy_trace *trace)
{
    struct policy_trace_values values;
    policy_trace_values(trace, part->which, &values);
    part->values = mem_array(values.count + 1, sizeof *part->values);
    part->n_omitted = values.omitted;
    for (; part->n_values < values.count; part->n_values++) {
        const struct policy_trace_value *v = &values.items[part->n_values];
        part->values[part->n_values] = (struct testresult_value){
            .part = testresult_fold(v->part), .text = cut_text(v->text, VALUE_MAX), .is_error = v->is_error};
    }
    policy_trace_values_deinit(&values);
}

void testresult_add_values(struct testresult *out, struct policy_trace *trace)
{
    for (size_t i = 0; i < out->n_parts; i++) {
        if (out->parts[i].is_expression)
            add_values(&out->parts[i], trace);
    }
}

void testresult_deinit(struct testresult *out)
{
    for (size_t i = 0; i < out->n_parts; i++) {
        mem_free(out->parts[i].field);
        mem_free(out->parts[i].text);
        for (size_t k = 0; k < out->parts[i].n_values; k++) {
            mem_free(out->parts[i].values[k].part);
            mem_free(out->parts[i].values[k].text);
        }
        mem_free(out->parts[i].values);
    }
    mem_free(out->parts);
    for (size_t i = 0; i < out->n_notes; i++)
        mem_free(out->notes[i].text);
    mem_free(out->notes);
    mem_free(out->why);
}
