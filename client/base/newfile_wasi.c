#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "client/base/newfile.h"

enum { RANDOM_LETTERS = 6, TRIES = 100 };

int newfile_open(char *name, const struct stat *like)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    char *end = name + strlen(name) - RANDOM_LETTERS;
    (void)like;
    for (int i = 0; i < TRIES; i++) {
        unsigned char random[RANDOM_LETTERS];
        if (getentropy(random, sizeof random) != 0)
            return -1;
        for (size_t k = 0; k < RANDOM_LETTERS; k++)
            end[k] = letters[random[k] % (sizeof letters - 1)];
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}
