#include "cmd/kubectl-vapcheck/completion.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/manual.h"
#include "cmd/kubectl-vapcheck/options_table.h"
#include "controller/findings/finding.h"

/* cobra's directives: what else the shell may offer. */
enum directive { DIRECTIVE_FILES = 0, DIRECTIVE_NOTHING = 4, DIRECTIVE_DIRECTORIES = 16 };

/* ---- scripts ---- */

static const char zsh[] =
    "#compdef kubectl-vapcheck\n"
    "_kubectl-vapcheck() {\n"
    "    local -a lines\n"
    "    lines=(\"${(@f)$(kubectl-vapcheck __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
    "    local directive=${lines[-1]}\n"
    "    lines[-1]=()\n"
    "    lines=(\"${(@)lines//:/\\\\:}\")\n"
    "    lines=(\"${(@)lines/$'\\t'/:}\")\n"
    "    ((${#lines})) && _describe -t words vapcheck lines\n"
    "    case $directive in\n"
    "    :0) _files ;;\n"
    "    :16) _files -/ ;;\n"
    "    esac\n"
    "}\n"
    "if [[ $funcstack[1] == _kubectl-vapcheck ]]; then _kubectl-vapcheck; else compdef _kubectl-vapcheck "
    "kubectl-vapcheck; fi\n";

static const char fish[] = "# fish completion of kubectl-vapcheck\n"
                           "function __kubectl_vapcheck_complete\n"
                           "    set -l words (commandline -opc) (commandline -ct)\n"
                           "    set -l lines (kubectl-vapcheck __complete $words[2..-1] 2>/dev/null)\n"
                           "    set -l directive $lines[-1]\n"
                           "    set -e lines[-1]\n"
                           "    printf '%s\\n' $lines\n"
                           "    switch $directive\n"
                           "        case :0\n"
                           "            __fish_complete_path (commandline -ct)\n"
                           "        case :16\n"
                           "            __fish_complete_directories (commandline -ct)\n"
                           "    end\n"
                           "end\n"
                           "complete -c kubectl-vapcheck -f -a '(__kubectl_vapcheck_complete)'\n";

static const char kubectl[] =
    "#!/bin/sh\n"
    "# kubectl_complete-vapcheck: on the PATH, kubectl completes `kubectl vapcheck` with it.\n"
    "exec kubectl-vapcheck __complete \"$@\"\n";

bool completion_print(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        manual_print_completion(out);
    else if (strcmp(shell, "zsh") == 0)
        print_raw(out, "%s", zsh);
    else if (strcmp(shell, "fish") == 0)
        print_raw(out, "%s", fish);
    else if (strcmp(shell, "kubectl") == 0)
        print_raw(out, "%s", kubectl);
    else
        return false;
    return true;
}

/* ---- the answer ---- */

struct answer {
    FILE *out;
    const char *before; /* of the word, what stands in each candidate: "--select=never-equal," */
    const char *typed;  /* the rest of the word */
    enum directive directive;
};

/* Offers a word with the beginning of its description, up to the first ";", ":" or "(". */
static void offer(const struct answer *a, const char *word, const char *what)
{
    const int len = (int)strcspn(what, ";:(");
    if (strncmp(word, a->typed, strlen(a->typed)) == 0)
        print_raw(a->out, "%s%s%s%.*s\n", a->before, word, len == 0 ? "" : "\t", len, what);
}

static void offer_word(void *user, const char *word)
{
    const enum finding_id id = finding_of_name(word);
    offer(user, word, id == FINDING_COUNT ? "" : finding_pages[id].summary);
}

static void offer_values(struct answer *a, const struct flags_row *row)
{
    const char *allowed = row->allowed == NULL ? "" : row->allowed;
    a->directive = strcmp(allowed, OPTIONS_FILES) == 0         ? DIRECTIVE_FILES
                   : strcmp(allowed, OPTIONS_DIRECTORIES) == 0 ? DIRECTIVE_DIRECTORIES
                                                               : DIRECTIVE_NOTHING;
    options_table_visit_values(row, offer_word, a);
}

static const struct flags_row *find_flag(const struct flags_table *table, const char *word, size_t len)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct flags_row *row = &table->rows[i];
        const bool is_letter = len == 2 && word[0] == '-' && word[1] == row->letter && row->letter != '\0';
        const bool is_name = len > 2 && strncmp(word, "--", 2) == 0 && strlen(row->name) == len - 2 &&
                             strncmp(row->name, word + 2, len - 2) == 0;
        if (flags_has(table, row) && (is_letter || is_name))
            return row;
    }
    return NULL;
}

static void offer_flags(struct answer *a, const struct flags_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct flags_row *row = &table->rows[i];
        cleanup_mem char *word = mem_printf("--%s", row->name);
        if (flags_has(table, row))
            offer(a, word, row->help);
    }
}

static void offer_commands(struct answer *a)
{
    for (size_t i = 0; manual_at(i) != NULL; i++)
        offer(a, manual_name(manual_at(i)), manual_summary(manual_at(i)));
}

/* The length of the part of a word that is complete: up to the last comma. */
static size_t complete_len(const char *word, size_t from)
{
    const char *comma = strrchr(word + from, ',');
    return comma == NULL ? from : (size_t)(comma + 1 - word);
}

static void answer_value(struct answer *a, const struct flags_row *row, const char *word, size_t from)
{
    const size_t len = complete_len(word, from);
    cleanup_mem char *before = mem_strndup(word, len);
    a->before = before;
    a->typed = word + len;
    offer_values(a, row);
    a->before = "";
}

void completion_answer(char *const *words, size_t count, FILE *out)
{
    const char *word = count == 0 ? "" : words[count - 1];
    struct answer a = {.out = out, .before = "", .typed = word, .directive = DIRECTIVE_NOTHING};
    const struct manual_command *command = count < 2 ? NULL : manual_find(words[0]);
    struct flags_table table = options_table;
    if (count < 2)
        offer_commands(&a);
    if (command != NULL) {
        table.command = manual_bit(command);
        const size_t name_len = strcspn(word, "=");
        const struct flags_row *before =
            count > 2 ? find_flag(&table, words[count - 2], strlen(words[count - 2])) : NULL;
        const struct flags_row *this = word[name_len] == '=' ? find_flag(&table, word, name_len) : NULL;
        if (before != NULL && before->value != NULL && *before->value != '[')
            answer_value(&a, before, word, 0);
        else if (this != NULL)
            answer_value(&a, this, word, name_len + 1);
        else if (*word == '-')
            offer_flags(&a, &table);
        else
            offer_values(&a, &(struct flags_row){.allowed = manual_words(command)});
    }
    print_raw(out, ":%d\n", (int)a.directive);
}
