#include "cmd/kubectl-vapcheck/plain.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/mem.h"
#include "client/utf8.h"

enum { WIDEST = 4 }; /* "\x1b", or a character of 4 bytes */

static char *plain(const char *text, bool keeps_lines)
{
    size_t len = strlen(text), room = len * WIDEST + 1, used = 0;
    char *out = mem_array(room, 1);
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(text + at, len - at, &code);
        bool is_control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
        bool is_broken = n == 1 && code == UTF8_REPLACEMENT;
        if ((is_control && !(code == '\n' && keeps_lines)) || is_broken) {
            unsigned shown = is_broken ? (unsigned char)text[at] : code;
            used += (size_t)snprintf(out + used, room - used, "\\x%02x", shown);
        } else {
            memcpy(out + used, text + at, n);
            used += n;
        }
    }
    return out;
}

/* Replaces each of these bytes, which are ASCII, by its text. The caller's. */
struct replacement {
    char byte;
    const char *text;
};

static char *replace(const char *text, const struct replacement *list, size_t count)
{
    size_t room = 1, used = 0;
    for (const char *p = text; *p != '\0'; p++)
        room += 6; /* &quot; is the longest */
    char *out = mem_array(room, 1);
    for (const char *p = text; *p != '\0'; p++) {
        size_t i = 0;
        while (i < count && list[i].byte != *p)
            i++;
        size_t len = i < count ? strlen(list[i].text) : 1;
        memcpy(out + used, i < count ? list[i].text : p, len);
        used += len;
    }
    return out;
}

char *plain_json(const char *json)
{
    size_t len = strlen(json), room = 6 * len + 1, used = 0;
    char *out = mem_array(room, 1);
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(json + at, len - at, &code);
        bool is_broken = n == 1 && code == UTF8_REPLACEMENT;
        if (is_broken || (code >= 0x7f && code <= 0x9f)) {
            used += (size_t)snprintf(out + used, room - used, "\\u%04x", code);
        } else {
            memcpy(out + used, json + at, n);
            used += n;
        }
    }
    return out;
}

char *plain_xml(const char *text)
{
    static const struct replacement list[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "&#10;"}};
    cleanup_mem char *shown = plain_text(text);
    /* U+FFFE and U+FFFF are no characters of XML */
    for (char *p = shown; (p = strstr(p, "\xef\xbf")) != NULL; p += 2) {
        if (p[2] == '\xbe' || p[2] == '\xbf')
            p[2] = '\xbd';
    }
    return replace(shown, list, sizeof list / sizeof *list);
}

char *plain_github(const char *text, bool is_property)
{
    static const struct replacement list[] = {
        {'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}};
    enum { IN_ALL = 3, IN_PROPERTIES = 5 };
    cleanup_mem char *escaped = replace(text, list, is_property ? IN_PROPERTIES : IN_ALL);
    return plain_line(escaped);
}

char *plain_text(const char *text)
{
    return plain(text, true);
}

char *plain_line(const char *text)
{
    return plain(text, false);
}
