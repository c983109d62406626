/*
 * jsonweight: the cost of the tree of a JSON text (jsontree.h), before the tree is made. Pure.
 *
 * An object of a tree takes hundreds of bytes even if its text is "{}". So a text of a
 * megabyte can make a tree of some hundred megabytes, and take seconds. The weight is
 * about the number of bytes of the tree, and proportional to the time that making and
 * freeing it takes: 1 MiB of weight takes about a millisecond.
 *
 *     if (jsonweight(bytes, len) > CAP_BYTES) ... leave it out
 */
#ifndef CLIENT_TEXT_JSONWEIGHT_H
#define CLIENT_TEXT_JSONWEIGHT_H

#include <stddef.h>

/* The weight of any text, also of one that is malformed. */
size_t jsonweight(const char *bytes, size_t len);

#endif
