#include "client/base/cicommand.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

static const char colon_spelled[] = "\\x3a", bracket_spelled[] = "\\x5b";

enum { SIGNS = 2 }; /* before a bracket or a word */

/* The characters that .NET trims from a line (GitHub's runner is written in it), except those that
 * client/base/plain spells. */
static bool is_blank(uint32_t code)
{
    return code == ' ' || code == '\t' || code == '\r' || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* Returns true if a bracket after the tail begins a command. */
static bool is_command(const struct cicommand *line)
{
    static const char *const words[] = {"##", "##vso", "##teamcity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t len = strlen(words[i]);
        if (line->tail_len == len && strncasecmp(line->tail, words[i], len) == 0)
            return true;
    }
    return false;
}

/* If there are several number signs, the last two count. */
static void add_to_tail(struct cicommand *line, uint32_t code)
{
    const bool is_sign = code == '#';
    const bool is_letter = (code | 0x20) >= 'a' && (code | 0x20) <= 'z' && line->tail_len >= SIGNS;
    if (is_sign && line->tail_len > SIGNS)
        line->tail_len = 0;
    if ((!is_sign && !is_letter) || (is_letter && line->tail_len == CICOMMAND_TAIL))
        line->tail_len = 0;
    else if (!is_sign || line->tail_len < SIGNS)
        line->tail[line->tail_len++] = (char)code;
}

/* Returns how the next character is spelled; NULL if it stands for itself. */
static const char *step(struct cicommand *line, uint32_t code)
{
    if (code == '\n' || code == '\r') {
        *line = (struct cicommand){.is_inside = false};
        return NULL;
    }
    const bool is_colon = code == ':' && line->has_colon && !line->is_inside;
    const bool is_bracket = code == '[' && is_command(line);
    line->is_inside = line->is_inside || is_colon || (code != ':' && (line->has_colon || !is_blank(code)));
    line->has_colon = line->has_colon || code == ':';
    add_to_tail(line, code);
    return is_colon ? colon_spelled : is_bracket ? bracket_spelled : NULL;
}

/* Returns how many bytes from `text` on can neither begin a command nor change what the line has so far. */
static size_t idle_run(const struct cicommand *line, const char *text, size_t len)
{
    size_t n = 0;
    while (line->is_inside && line->tail_len == 0 && n < len && text[n] != '#' && text[n] != '\n' &&
           text[n] != '\r')
        n++;
    return n;
}

static char *spell(struct cicommand *line, const char *text, const char *bracket)
{
    const size_t len = strlen(text),
                 widest = strlen(bracket) > sizeof colon_spelled ? strlen(bracket) : sizeof colon_spelled;
    char *out = mem_array(len + 1, widest);
    size_t used = 0;
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = idle_run(line, text + at, len - at);
        if (n > 0) {
            memcpy(out + used, text + at, n);
            used += n;
            continue;
        }
        n = utf8_next(text + at, len - at, &code);
        const char *shown = step(line, code);
        const char *put = shown == NULL ? text + at : shown == bracket_spelled ? bracket : shown;
        const size_t size = shown == NULL ? n : strlen(put);
        memcpy(out + used, put, size);
        used += size;
    }
    out[used] = '\0';
    return out;
}

char *cicommand_spell(struct cicommand *line, const char *text)
{
    return spell(line, text, bracket_spelled);
}

bool cicommand_pass_harmless(struct cicommand *line, const char *text)
{
    struct cicommand next = *line;
    const size_t len = strlen(text);
    uint32_t code;
    for (size_t at = 0; at < len;) {
        const size_t n = idle_run(&next, text + at, len - at);
        at += n > 0 ? n : utf8_next(text + at, len - at, &code);
        if (n == 0 && step(&next, code) != NULL)
            return false;
    }
    *line = next;
    return true;
}

void cicommand_pass(struct cicommand *line, const char *text, size_t len)
{
    size_t last = len;
    uint32_t code;
    while (last > 0 && text[last - 1] != '\n')
        last--;
    for (size_t i = last == 0 ? 0 : last - 1; i < len;) {
        i += utf8_next(text + i, len - i, &code);
        (void)step(line, code);
    }
}

bool cicommand_is_in(const char *text, bool is_inside)
{
    struct cicommand line = {.is_inside = is_inside};
    return !cicommand_pass_harmless(&line, text);
}

bool cicommand_may_be_in(const char *text)
{
    return strstr(text, "##") != NULL || strstr(text, "::") != NULL;
}

char *cicommand_replace(char *take_text, const char *bracket)
{
    struct cicommand line = {.is_inside = true};
    if (!cicommand_may_be_in(take_text))
        return take_text;
    char *shown = spell(&line, take_text, bracket);
    mem_free(take_text);
    return shown;
}
