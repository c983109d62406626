/*
 * The working directory. WASI has none: its host names the directory in PWD, and relative paths begin there.
 */
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void enter_directory(void)
{
    const char *directory = getenv("PWD");
    /* If PWD is not set, relative paths begin at the root of the host's files. */
    if (directory != NULL)
        (void)chdir(directory);
}
