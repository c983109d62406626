/*
 * token: keeps the bearer token that the config names, and reads its file so often
 * that the token has not expired. Pure but for this reading; time is an argument.
 *
 * A file's token is read again every minute and after a 401. White space
 * around it is not part of it; an empty or unreadable file is an error, and
 * the last good token stays. The file wins over a token in the config as
 * soon as it was readable once.
 *
 *     const char *bearer = token_get(&token, uv_now(loop));
 */
#ifndef CLIENT_AUTH_TOKEN_H
#define CLIENT_AUTH_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "client/auth/config.h"

enum {
    TOKEN_REREAD_MS = 60 * 1000,
    TOKEN_FILE_CAP_BYTES = 256 * 1024,
};

struct token {
    const struct config *config;
    char *text; /* the token that was read last; NULL if none was read yet */
    uint64_t read_ms;
    bool is_due; /* the next token_get reads the file, even within the minute */
};

/* config must outlive t. */
void token_init(struct token *t, const struct config *config);
void token_deinit(struct token *t);

/* The token to send, or NULL for none. Borrowed until the next call. A failed read is logged. */
const char *token_get(struct token *t, uint64_t now_ms);

/* The server did not accept it: the next token_get reads the file again. */
void token_expire(struct token *t);

#endif
