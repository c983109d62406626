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
    REDACT_PIECE_BYTES = 12,      /* a beginning of a secret that is shorter is not cut out */
    REDACT_LEAST_CODED_BYTES = 6, /* a shorter secret is not looked for in base64: too much looks like it */
};

/* Cuts out the secret, or its beginning where the end of the text cuts it. It is found as it is, with
 * characters percent-encoded or escaped as in JSON or HTML, and in base64 of either alphabet, at any place of
 * the coded text. NULL and "" are fine. */
void redact_secret(char *text, const char *secret);

/* Cuts out every value of "Authorization:" and "Proxy-Authorization:", also of others' requests. */
void redact_headers(char *text);

/* Cuts out the user information of URLs ("http://name:password@host"), well-formed or not. */
void redact_urls(char *text);

/* Cuts out the user information of proxy_url wherever the text repeats it. proxy_url may be malformed:
 * without a scheme, with spaces, or no URL at all. */
void redact_proxy(char *text, const char *proxy_url);

#endif
