#include "cmd/kubectl-vapcheck/explain_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/print.h"
#include "cmd/flags/flags.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "controller/findings/finding.h"
#include "typecheck/text.h"

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
    "| what you write | where | findings that are not reported |\n|---|---|---|\n"
    "| `--ignore ID[,ID]` | command line | the findings with these identifiers |\n"
    "| `--select ID[,ID]` | command line | all findings except those with these identifiers; `default` means "
    "all findings except advice, and `advice` means all advice |\n"
    "| `vapcheck/ignore: ID[,ID]` | annotation of an object | the findings of the object with these "
    "identifiers; vapcheck-controller does not write them to `expressionWarnings` |\n"
    "| `vapcheck/skip: \"true\"` | annotation of an object | all findings of the object: `check` and "
    "vapcheck-controller do not check the object. A binding may still name a skipped policy |\n"
    "| `# vapcheck: ignore ID[,ID]` | a comment in a YAML file | the findings with these identifiers in the "
    "line of the comment, or, if the comment has a line of its own, in the next line that is not a comment; "
    "and in the value that begins in that line. After the identifiers, the comment may have any text, for "
    "example the reason. A comment that suppresses nothing is reported as `unused-ignore` |\n"
    "| `--baseline FILE` | command line | the findings that `--write-baseline FILE` wrote to the file. A "
    "finding is in the file if its identifier, object, field and message are the same; the line may be "
    "another |\n\n"
    "Each summary counts the findings and objects that were left out. An identifier that does not exist is "
    "an error. `refused`, `unreadable-file`, `limit-reached` and `unknown-identifier` are always reported, "
    "since "
    "without them a refused or unchecked object would look clean. To leave out such an object, use "
    "`vapcheck/skip`, or for `refused` a baseline. `--select` never hides `not-fully-checked` and "
    "`nothing-checked`. `--ignore` hides "
    "them, but the summary does not count such an object as clean. In the JSON output, `expressionWarnings` "
    "and `conditions` are the status that vapcheck-controller writes, which `--ignore`, `--select` and "
    "comments do not change. A baseline contains the errors and warnings, also `refused`, and neither notes "
    "nor advice. The summary names the entries of a baseline "
    "whose object was checked and does not have the finding any more.\n";

static const char on_witnesses[] =
    "\n"
    "## Witnesses\n"
    "\n"
    "`check --witness` prints a witness for each issue of a warning: a request for which the warning is "
    "true. The request is made from the schema of the type, changed until the evaluation of the policy "
    "reaches the place of the issue and fails there, and then made as small as possible. The program "
    "evaluates the policy as the API server of that version does, and prints the error that the API "
    "server would give. If an issue is about a part of the expression that has the same result for every "
    "request, such as a comparison of two values that can never be equal, the witness shows this result. "
    "There is none for a policy that never applies.\n"
    "\n"
    "| in the JSON output | what it is |\n"
    "|---|---|\n"
    "| `findings[].witnesses[]` | one entry for each issue, with `issue`, `line` and `column` as in the "
    "warning, and the `type` |\n"
    "| `operation`, `resource`, `object`, `oldObject`, `params` | the request. `request`, "
    "`namespaceObject` and `authorizerAllows` are there if an expression of the policy reads them |\n"
    "| `failure` | the error at the place of the issue |\n"
    "| `error` | the error in which the expression ends, in the words of the API server. It can be about "
    "another place that fails, too |\n"
    "| `result` | the result of the part that is always the same, instead of `failure` |\n"
    "| `withoutMatchConditions` | `true` if a match condition always fails, so that no request reaches "
    "the place before this condition is corrected |\n"
    "| `reason` | why there is no witness: no request reaches the place because evaluation fails before "
    "it, or the search ended after a fixed number of requests, or a fixed amount of work |\n"
    "\n"
    "The objects fit the schema of their kind. The API server may check more than the schema says, so "
    "that a witness is not always an object that you can create. A witness "
    "for a mutation shows that the expression fails, or that the API server does not apply what it makes. "
    "If an apply configuration has several errors, the API server names some of them, in an order that "
    "differs from request to request; the witness shows one of these answers. "
    "There is no witness if the API server stops at another error of the same mutation.\n";

static const char on_advice[] =
    "\n## Advice\n\n"
    "Advice is about what is probably not meant. It never makes a check fail, and it is in no baseline and "
    "in no status. `--select default` leaves it out. Each advice about a field names a request that shows "
    "it: vapcheck has evaluated the policy, or the rules, on this request. A reader judged each hit of "
    "advice "
    "on published policies and CustomResourceDefinitions: 422 of 467 hits are right, which means that the "
    "author would want to know it, and that the remedy is right "
    "([numbers](../../tests/golden/README.md#advice-about-published-objects)).\n\n"
    "The command `upgrade` prints what fails on the next version of Kubernetes.\n";

static void print_markdown(void)
{
    print_raw(stdout,
              "# Findings\n\n"
              "This page explains all findings of `kubectl vapcheck check` and vapcheck-controller. `kubectl "
              "vapcheck explain ID` prints the explanation of one finding. The severity `error` means that "
              "the API server refuses the object, or that the object does not work, or that it was not "
              "checked. If an example is only "
              "an expression, it is an expression of a ValidatingAdmissionPolicy for `deployments` of "
              "`apps/v1`, on CREATE and UPDATE.\n\n"
              "The table has all findings, each with a link to its section. Other sections: "
              "[Ignoring findings](#ignoring-findings), [Witnesses](#witnesses), [Advice](#advice).\n\n"
              "| identifier | severity | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        print_raw(stdout, "| [%s](#%s) | %s | %s |\n", page->id, page->id,
                  finding_severity_name(page->severity), page->summary);
    }
    print_raw(stdout, "\n%s%s%s", on_ignoring, on_witnesses, on_advice);
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        print_raw(stdout, "\n## %s\n%s (%s) %s\n", page->id, page->summary,
                  finding_severity_name(page->severity), page->text);
        print_markdown_example("Wrong", page->wrong);
        print_markdown_example("Right", page->right);
    }
}

static void refuse(const char *name)
{
    struct suggest near;
    suggest_init(&near, name);
    for (size_t i = 0; i < FINDING_COUNT; i++)
        suggest_offer(&near, finding_pages[i].id);
    if (near.best != NULL)
        print_line(stderr, "kubectl-vapcheck explain: there is no finding \"%s\", did you mean %s?", name,
                   near.best);
    else
        print_line(stderr,
                   "kubectl-vapcheck explain: there is no finding \"%s\"; \"kubectl vapcheck explain\" "
                   "lists them",
                   name);
}

int explain_cmd(const struct options *o)
{
    if (o->is_markdown)
        print_markdown();
    else if (o->n_names == 0)
        print_list();
    for (size_t i = 0; i < o->n_names; i++) {
        const enum finding_id id = finding_of_name(o->names[i]);
        if (id == FINDING_COUNT) {
            refuse(o->names[i]);
            return 2;
        }
        print_raw(stdout, "%s", i == 0 ? "" : "\n");
        print_page(&finding_pages[id]);
    }
    return 0;
}
