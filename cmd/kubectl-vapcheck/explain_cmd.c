#include "cmd/kubectl-vapcheck/explain_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/flags/flags.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "controller/check/finding.h"

enum { ID_COLUMNS = 24, SEVERITY_COLUMNS = 9 };

static bool is_file(const char *example)
{
    return strncmp(example, "apiVersion", strlen("apiVersion")) == 0;
}

/* Each line of the example behind `indent`. */
static void print_lines(const char *example, const char *indent)
{
    while (*example != '\0') {
        int len = (int)strcspn(example, "\n");
        print_raw(stdout, "%s%.*s\n", indent, len, example);
        example += len + (example[len] == '\n');
    }
}

static void print_example(const char *title, const char *example)
{
    if (*example == '\0')
        return;
    print_raw(stdout, "\n%s:\n", title);
    print_lines(example, "  ");
}

static void print_page(const struct finding_page *page)
{
    print_raw(stdout, "%s (%s)\n\n", page->id, finding_severity_name(page->severity));
    flags_print_wrapped(stdout, 0, 0, page->summary);
    flags_print_wrapped(stdout, 0, 0, page->text);
    print_example("Wrong", page->wrong);
    print_example("Right", page->right);
}

static void print_list(void)
{
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        print_raw(stdout, "%-*s %-*s %s\n", ID_COLUMNS, page->id, SEVERITY_COLUMNS,
                  finding_severity_name(page->severity), page->summary);
    }
}

/* ---- the document ---- */

static void print_markdown_example(const char *title, const char *example)
{
    if (*example == '\0')
        return;
    print_raw(stdout, "\n%s:\n```%s\n", title, is_file(example) ? "yaml" : "cel");
    print_lines(example, "");
    print_raw(stdout, "```\n");
}

static const char on_ignoring[] =
    "## Ignoring findings\n\n"
    "| what you write | where | what is not reported |\n|---|---|---|\n"
    "| `--ignore ID[,ID]` | command line | these findings |\n"
    "| `--select ID[,ID]` | command line | all but these findings; `default` stands for all but advice, "
    "`advice` for all advice |\n"
    "| `vapcheck/ignore: ID[,ID]` | annotation of an object | these findings of the object; "
    "vapcheck-controller leaves them out of `expressionWarnings`, too |\n"
    "| `vapcheck/skip: \"true\"` | annotation of an object | everything: the object is not checked, by "
    "`check` and by vapcheck-controller. Bindings still find a policy that is skipped |\n"
    "| `# vapcheck: ignore ID[,ID]` | a comment of its own in a YAML file | these findings in the next line "
    "that is no comment, and in a value that begins in that line. What follows the identifiers says why, in "
    "any words |\n"
    "| `--baseline FILE` | command line | findings that `--write-baseline FILE` wrote to the file: those "
    "with "
    "the same identifier, object, field and message, wherever they stand |\n\n"
    "Each summary counts what is left out. An identifier that does not exist is an error. `refused`, "
    "`unreadable-file`, `limit-reached` and `unknown-identifier` are always reported: without them an object "
    "that the API server does not take, or that nobody checked, would look clean. To leave out such an "
    "object, use `vapcheck/skip`. `--select` does not hide `not-fully-checked` and `nothing-checked` either; "
    "`--ignore` does, and the summary still does not count such an object as clean. In JSON, "
    "`expressionWarnings` and `conditions` are what vapcheck-controller writes: only the annotation changes "
    "them. A baseline has no notes; entries of checked objects that do not occur are named in the summary.\n";

static const char on_advice[] =
    "\n## Advice\n\n"
    "Advice is not reported unless it is selected: `--select default,advice`, or by its identifier. It never "
    "makes a check fail. How often it was right, of 390 policies of public repositories and 124 that were "
    "written to test the checker, each hit read by a person:\n\n"
    "| identifier | hits | right | |\n|---|---|---|---|\n"
    "| `unused-variable` | 2 | 2 | |\n"
    "| `absent-field` | 5 | 5 | |\n"
    "| `constant-condition` | 0 | - | of some 1,600 comparisons of `object.kind` and `request.operation`, "
    "all "
    "of which make sense |\n"
    "| `failure-ignored` | 0 | - | it is as right as the errors that it is about |\n";

static void print_markdown(void)
{
    print_raw(stdout,
              "# Findings\n\n"
              "What `kubectl vapcheck check` finds, and vapcheck-controller reports. `kubectl vapcheck "
              "explain ID` prints one of these pages. An error is refused by the API server, or fails "
              "for certain. An example that is one expression stands in a ValidatingAdmissionPolicy "
              "for `deployments` of `apps/v1`, on CREATE and UPDATE.\n\n"
              "| identifier | severity | what it is |\n|---|---|---|\n");
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        print_raw(stdout, "| [%s](#%s) | %s | %s |\n", page->id, page->id,
                  finding_severity_name(page->severity), page->summary);
    }
    print_raw(stdout, "\n%s%s", on_ignoring, on_advice);
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        print_raw(stdout, "\n## %s\n%s (%s) %s\n", page->id, page->summary,
                  finding_severity_name(page->severity), page->text);
        print_markdown_example("Wrong", page->wrong);
        print_markdown_example("Right", page->right);
    }
}

static int explain(const struct options *o)
{
    if (o->is_markdown)
        print_markdown();
    else if (o->n_names == 0)
        print_list();
    for (size_t i = 0; i < o->n_names; i++) {
        const enum finding_id id = finding_of_name(o->names[i]);
        if (id == FINDING_COUNT) {
            print_line(stderr,
                       "kubectl-vapcheck explain: there is no finding \"%s\"; \"kubectl vapcheck explain\" "
                       "lists them",
                       o->names[i]);
            return 2;
        }
        print_raw(stdout, "%s", i == 0 ? "" : "\n");
        print_page(&finding_pages[id]);
    }
    return 0;
}

int explain_cmd(int argc, char **argv)
{
    struct options o;
    int answer = options_read("explain", argc, argv, &o);
    int status = answer < 0 ? 2 : answer > 0 ? 0 : explain(&o);
    options_deinit(&o);
    return status;
}
