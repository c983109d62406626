#include "client/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/newfile.h"

enum { CHUNK_BYTES = 16 * 1024 };

static int read_all(int fd, const char *path, struct buf *b, struct err *err)
{
    char chunk[CHUNK_BYTES];
    for (;;) {
        const ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_INVALID, "%s: %s", path, strerror(errno));
        if (n == 0)
            return 0;
        if (buf_append(b, chunk, (size_t)n) != 0)
            return err_set(err, ERR_LIMIT, "%s: larger than %zu bytes", path, b->cap_bytes);
    }
}

/* Never waits: neither for the other end of a pipe nor for a terminal. A pipe or a device has no end that
 * could be relied on. */
static int open_regular(const char *path, struct err *err)
{
    struct stat st = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_INVALID, "%s: %s", path, strerror(errno));
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    (void)err_set(err, ERR_INVALID, "%s: %s", path,
                  S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file");
    close(fd);
    return -1;
}

int file_read(const char *path, size_t cap_bytes, char **out, size_t *len, struct err *err)
{
    const int fd = open_regular(path, err);
    if (fd < 0)
        return -1;
    struct buf b;
    buf_init(&b, cap_bytes);
    const int result = read_all(fd, path, &b, err);
    close(fd);
    if (result == 0)
        *out = buf_take(&b, len);
    buf_deinit(&b);
    return result;
}

/* ---- replacing ---- */

static int write_all(int fd, struct file_bytes bytes)
{
    while (bytes.len > 0) {
        const ssize_t n = write(fd, bytes.at, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        bytes.at += n;
        bytes.len -= (size_t)n;
    }
    return 0;
}

static bool is_equal(const char *at, size_t len, struct file_bytes bytes)
{
    return len == bytes.len && memcmp(at, bytes.at, len) == 0;
}

/* Returns 0 if the file has the old bytes and only one name, and 1 if it has the new bytes already: the same
 * file was replaced under another path. */
static int check_old(const char *path, struct file_bytes old, struct file_bytes bytes, struct stat *st,
                     struct err *err)
{
    char *found = NULL;
    size_t len = 0;
    if (file_read(path, (old.len > bytes.len ? old.len : bytes.len) + 1, &found, &len, err) != 0)
        return -1;
    const bool is_old = is_equal(found, len, old), is_done = is_equal(found, len, bytes);
    mem_free(found);
    if (is_done)
        return 1;
    if (!is_old)
        return err_set(err, ERR_INVALID, "%s: changed meanwhile", path);
    if (stat(path, st) != 0)
        return err_set(err, ERR_INVALID, "%s: %s", path, strerror(errno));
    if (st->st_nlink > 1)
        return err_set(err, ERR_INVALID, "%s: the file has several names (hard links)", path);
    return 0;
}

/* The new bytes are complete, and on the disk, before they get the file's name. */
static int replace(const char *path, const struct stat *st, struct file_bytes bytes, struct err *err)
{
    cleanup_mem char *directory = file_directory(path);
    cleanup_mem char *other = mem_printf("%s/.vapcheck-XXXXXX", directory);
    const int fd = newfile_open(other, st);
    if (fd < 0)
        return err_set(err, ERR_INVALID, "%s: %s", other, strerror(errno));
    bool is_done = write_all(fd, bytes) == 0 && fsync(fd) == 0;
    is_done = close(fd) == 0 && is_done && rename(other, path) == 0;
    if (is_done)
        return 0;
    (void)err_set(err, ERR_INVALID, "%s: %s", path, strerror(errno));
    unlink(other);
    return -1;
}

int file_replace(const char *path, struct file_bytes old, struct file_bytes bytes, struct err *err)
{
    struct stat st = {0};
    char real[PATH_MAX];
    if (realpath(path, real) == NULL)
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_INVALID, "%s: %s", path, strerror(errno));
    int answer = check_old(real, old, bytes, &st, err);
    if (answer == 0)
        answer = replace(real, &st, bytes, err);
    return answer < 0 ? -1 : 0;
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

char *file_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return mem_strdup(".");
    return slash == path ? mem_strdup("/") : mem_strndup(path, (size_t)(slash - path));
}

char *file_resolve(const char *directory, const char *path)
{
    return *path == '/' ? mem_strdup(path) : mem_printf("%s/%s", directory, path);
}
