#include "cmd/kubectl-vapcheck/output/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 40, WIDTH_USUAL = 80, WIDTH_MOST = 10 * 1000 };

/* $COLUMNS, else what the terminal says. */
static size_t find_width(void)
{
    const char *given = getenv("COLUMNS");
    const long wanted = given == NULL ? 0 : strtol(given, NULL, 10);
    size_t width = WIDTH_USUAL;
#ifdef TIOCGWINSZ /* WebAssembly has none */
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
        width = size.ws_col;
#endif
    if (wanted > 0)
        width = wanted < WIDTH_MOST ? (size_t)wanted : WIDTH_MOST;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term == NULL || *term == '\0' || strcmp(term, "dumb") == 0;
}

struct style_sequences style_sequences(const struct style *style, FILE *out)
{
    const bool is_terminal = isatty(fileno(out)) == 1;
    struct style_sequences s = {"", "", "", "", {"", "", "", ""}, false, is_terminal ? find_width() : 0};
    const bool is_coloured = style->color == STYLE_ALWAYS || (style->color == STYLE_AUTO && is_terminal &&
                                                              !is_dumb() && getenv("NO_COLOR") == NULL);
    if (is_coloured)
        s = (struct style_sequences){
            .bold = "\033[1m",
            .red = "\033[31m",
            .plain = "\033[0m",
            .frame = "\033[1;34m",
            .severities = {[FINDING_ERROR] = "\033[1;31m",
                           [FINDING_WARNING] = "\033[1;33m",
                           [FINDING_NOTE] = "\033[1;36m",
                           [FINDING_ADVICE] = "\033[1;32m"},
            .has_links = is_terminal && !is_dumb() && getenv("CI") == NULL,
            .width = s.width,
        };
    return s;
}
