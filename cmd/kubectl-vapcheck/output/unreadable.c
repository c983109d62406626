#include "cmd/kubectl-vapcheck/output/unreadable.h"

#include <stdio.h>

#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/textblock.h"

static void print_plain(const struct unreadable *u)
{
    if (u->where.line != 0)
        print_line(stderr, "%s:%u:%u: %s", u->file, u->where.line, u->where.column, u->message);
    else
        print_line(stderr, "%s: %s", u->file, u->message);
}

void unreadable_print(const struct unreadable *u, const struct style *style)
{
    if (style == NULL) {
        print_plain(u);
        return;
    }
    const struct style_sequences sequences = style_sequences(style, stderr);
    const bool has_frame = u->line != NULL && u->where.line != 0;
    struct frame frame;
    if (has_frame)
        frame_init_line(&frame, u->line, u->where);
    (void)textblock_print(&(struct textblock){.severity = FINDING_ERROR,
                                              .id = FINDING_UNREADABLE_FILE,
                                              .title = u->message,
                                              .file = u->file,
                                              .at = u->where,
                                              .frame = has_frame ? &frame : NULL},
                          &sequences, stderr);
    print_line(stderr, "%s", "");
    if (has_frame)
        frame_deinit(&frame);
}
