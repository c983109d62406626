#include "cmd/kubectl-vapcheck/output/style.h"

#include <stdlib.h>
#include <unistd.h>

struct style_sequences style_sequences(const struct style *style)
{
    bool is_coloured = style->color == STYLE_ALWAYS;
    if (style->color == STYLE_AUTO)
        is_coloured = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL;
    return is_coloured ? (struct style_sequences){"\033[1m", "\033[31m", "\033[0m"}
                       : (struct style_sequences){"", "", ""};
}
