/*
 * fingerprint: a text by which readers of reports know a finding again; it stays the same when other parts of
 * the file change.
 *
 *     struct keymap known = {0};
 *     char *text = fingerprint_of(&known, &place, &found.items[i]);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_FINGERPRINT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_FINGERPRINT_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/output/found.h"

/* 32 hexadecimal digits, made of the finding's identifier, object, field and subject. known: those of this
 * run so far, which the caller deinits: the second finding that is alike has another one. The caller frees
 * it. */
char *fingerprint_of(struct keymap *known, const struct output_place *place, const struct found_item *item);
/* The same for a text that names something. The caller frees it. */
char *fingerprint_of_text(struct keymap *known, const char *what);

#endif
