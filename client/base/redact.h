/*
 * redact: cuts our secrets out of texts that others wrote. Pure.
 *
 * Some servers and proxies repeat a request in their errors, as it was sent or in
 * an encoding, and curl quotes the URL of a proxy. A secret that is found becomes
 * "[redacted]", or as much of this word as fits: the text never becomes longer.
 *
 *     redact_urls(err.msg);
 *     redact_headers(err.msg);
 *     redact_secret(err.msg, token);
 */
#ifndef CLIENT_BASE_REDACT_H
#define CLIENT_BASE_REDACT_H

enum {
    REDACT_PIECE_BYTES = 12,      /* a shorter beginning of a secret stays */
    REDACT_LEAST_CODED_BYTES = 6, /* a shorter secret is not looked for in base64: too much looks like it */
};

/* The secret, or its beginning where the text cuts it: as it is; with characters percent-encoded, or escaped
 * as JSON or HTML does it; in base64, of either alphabet, wherever in the coded text it begins. NULL and ""
 * are fine. */
void redact_secret(char *text, const char *secret);

/* What stands behind "Authorization:" and "Proxy-Authorization:", whoever's it is. */
void redact_headers(char *text);

/* The user information of URLs ("http://name:password@host"), well-formed or not. */
void redact_urls(char *text);

/* The same for what should be a proxy's URL, and may lack a scheme, hold spaces, or not be one at all: its
 * user information, wherever the text repeats it. */
void redact_proxy(char *text, const char *proxy_url);

#endif
