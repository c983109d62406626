#include "client/auth/token.h"

#include <stddef.h>
#include <string.h>

#include "client/base/err.h"
#include "client/base/file.h"
#include "client/base/log.h"
#include "client/base/mem.h"

static void set_text(struct token *t, char *taken)
{
    mem_free_secret(t->text);
    t->text = taken;
}

void token_init(struct token *t, const struct config *config)
{
    *t = (struct token){.config = config, .text = mem_strdup_or_null(config->token), .is_due = true};
}

void token_deinit(struct token *t)
{
    set_text(t, NULL);
}

/* Removes the white space around the text, in place. Returns the new length. */
static size_t trim(char *text, size_t len)
{
    const size_t skip = strspn(text, " \t\r\n");
    len -= skip;
    memmove(text, text + skip, len + 1);
    while (len && strchr(" \t\r\n", text[len - 1]))
        text[--len] = '\0';
    return len;
}

/* Returns true if the text can stand in a header line: no spaces or control characters. */
static bool is_sendable(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return false;
    }
    return true;
}

static void reread(struct token *t)
{
    const char *path = t->config->token_file;
    char *text = NULL;
    size_t len;
    struct err err;
    if (file_read(path, TOKEN_FILE_CAP_BYTES, &text, &len, &err) != 0) {
        log_warn("token", "%s%s", err.msg, t->text ? "; the last one is kept" : "");
        return;
    }
    if (trim(text, len) == 0 || !is_sendable(text)) {
        log_warn("token", "%s: %s%s", path, *text ? "not a token" : "empty",
                 t->text ? "; the last one is kept" : "");
        mem_wipe(text, len);
        mem_free(text);
        return;
    }
    set_text(t, text);
}

const char *token_get(struct token *t, uint64_t now_ms)
{
    if (t->config->token_file && (t->is_due || now_ms - t->read_ms >= TOKEN_REREAD_MS)) {
        t->is_due = false;
        t->read_ms = now_ms;
        reread(t);
    }
    return t->text;
}

void token_expire(struct token *t)
{
    t->is_due = true;
}
