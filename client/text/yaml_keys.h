/*
 * yaml_keys: the keys that most members of Kubernetes objects have, as constants, of which no tree needs a
 * copy. Pure.
 *
 *     const char *key = yaml_keys_find(text, len);
 *     if (key == NULL) ... copy the text ...
 */
#ifndef CLIENT_TEXT_YAML_KEYS_H
#define CLIENT_TEXT_YAML_KEYS_H

#include <stddef.h>

/* The constant with the text, which is a string to YAML even if it is plain; NULL: there is none. */
const char *yaml_keys_find(const char *text, size_t len);

#endif
