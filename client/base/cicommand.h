/*
 * cicommand: keeps the output of a command from being read as commands of a CI system. Pure.
 *
 * GitHub reads a line that begins with "::", also behind white space, as a command such as ::stop-commands::,
 * and
 * "##[" anywhere in a line; Azure reads "##vso[", TeamCity "##teamcity[". The name of a file, or a message of
 * a policy, must not give commands to the workflow that prints it. Therefore one character of such a text
 * becomes visible: "\x3a", "\x5b".
 *
 *     static struct cicommand line;
 *     cleanup_mem char *shown = cicommand_spell(&line, text);
 */
#ifndef CLIENT_BASE_CICOMMAND_H
#define CLIENT_BASE_CICOMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { CICOMMAND_TAIL = 10 };

/* The state of a line so far; all zero at its begin. */
struct cicommand {
    bool is_inside; /* something but white space and one colon */
    bool has_colon;
    char tail[CICOMMAND_TAIL]; /* its last ASCII characters from "##" on */
    size_t tail_len;
};

/* The text, which goes on where the line is, with the characters spelled. The caller frees it. */
char *cicommand_spell(struct cicommand *line, const char *text);
/* If cicommand_spell would not change the text, continues after it, and returns true. */
bool cicommand_pass_harmless(struct cicommand *line, const char *text);
/* The same as cicommand_spell, of a text of `len` bytes that is printed as it is. */
void cicommand_pass(struct cicommand *line, const char *text, size_t len);

/* Returns true if cicommand_spell would change a text that begins a line, or, is_inside, stands in one. */
bool cicommand_is_in(const char *text, bool is_inside);

/* Returns false if no line of the text, wherever it begins, can be a command: a long text is not copied then.
 */
bool cicommand_may_be_in(const char *text);
/* The same as cicommand_spell for a text that stands in a line, with another spelling of the bracket. Takes
 * the text, which it returns if nothing is to be spelled. */
char *cicommand_replace(char *take_text, const char *bracket);

#endif
