/*
 * newfile: an empty file that will take the place of another one.
 *
 *     const int fd = newfile_open(name, &old);      name: "DIRECTORY/.PREFIX-XXXXXX"
 *     ... write ... rename(name, path)
 */
#ifndef CLIENT_BASE_NEWFILE_H
#define CLIENT_BASE_NEWFILE_H

#include <sys/stat.h>

/* Creates the file, opened for writing, with the owner and the mode of `like`. WASI has neither owners nor
 * modes: there its host decides them. The six X at the name's end become the name that is free. -1: there is
 * no such file, and errno says why. */
int newfile_open(char *name, const struct stat *like);

#endif
