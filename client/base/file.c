#include "client/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/mem.h"

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
