#include "client/discovery/clusterdump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "client/base/file.h"
#include "client/base/mem.h"

enum { RECORD_HEAD_BYTES = 2048, GZIP_WINDOW_BITS = 15 + 16 };

struct document {
    char *path;
    char *bytes;
    size_t len;
};

struct clusterdump {
    char *root;                 /* of a directory; NULL: a bundle */
    char *file;                 /* the bytes of a bundle's file; NULL: the caller has them */
    z_stream rest;              /* of a bundle: what is not unpacked yet */
    bool is_over, is_damaged;   /* of a bundle: the rest is at its end, or is no gzip or no records */
    struct document *documents; /* those that were read */
    size_t count;
};

/* ---- documents ---- */

static struct document *add_document(struct clusterdump *s, const char *path, size_t path_len)
{
    s->documents = mem_realloc(s->documents, s->count + 1, sizeof *s->documents);
    struct document *d = &s->documents[s->count++];
    *d = (struct document){.path = mem_strndup(path, path_len)};
    return d;
}

static struct document *find(const struct clusterdump *s, const char *path)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->documents[i].path, path) == 0)
            return &s->documents[i];
    }
    return NULL;
}

/* A URL path that can be a file's name below a directory: no "..", no empty part, no control
 * character or space. */
static bool is_document_path(const char *path)
{
    bool is_proper = path[0] == '/' && path[1] && strlen(path) < RECORD_HEAD_BYTES / 2;
    for (const char *p = path; *p && is_proper; p++) {
        if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '?' || *p == '#')
            is_proper = false;
        if (*p == '/' && (p[1] == '/' || p[1] == '.' || p[1] == '\0'))
            is_proper = p[1] == '.' && p[2] != '.' && p[2] != '/' && p[2] != '\0';
    }
    return is_proper;
}

static int refuse_path(const char *path, enum err_code code, struct err *err)
{
    return err_set(err, code, "not the path of a document: %.200s", path);
}

/* ---- reading a bundle ---- */

/* Unpacks so many of the next bytes. Returns false if there are fewer. */
static bool unpack(struct clusterdump *s, char *out, size_t len)
{
    s->rest.next_out = (unsigned char *)out;
    s->rest.avail_out = (uInt)len;
    while (s->rest.avail_out > 0 && !s->is_over) {
        const int code = inflate(&s->rest, Z_NO_FLUSH);
        s->is_over = code != Z_OK;
        s->is_damaged = s->is_over && (code != Z_STREAM_END || s->rest.avail_in > 0);
    }
    return s->rest.avail_out == 0;
}

/* "PATH LENGTH\n" of a record, without the line feed. Returns its length; 0 at the end of the bundle. */
static size_t unpack_head(struct clusterdump *s, char head[RECORD_HEAD_BYTES])
{
    size_t len = 0;
    while (len < RECORD_HEAD_BYTES && unpack(s, head + len, 1) && head[len] != '\n')
        len++;
    s->is_damaged = s->is_damaged || len == RECORD_HEAD_BYTES || (s->is_over && len > 0);
    head[s->is_damaged ? 0 : len] = '\0';
    return s->is_damaged ? 0 : len;
}

/* The document of the next record, "PATH LENGTH\n" BYTES "\n"; NULL: there is none, or the bundle is damaged.
 */
static struct document *read_record(struct clusterdump *s)
{
    char head[RECORD_HEAD_BYTES], *end;
    const size_t head_len = s->is_damaged ? 0 : unpack_head(s, head);
    if (head_len == 0)
        return NULL;
    char *space = strrchr(head, ' ');
    const unsigned long long len = space == NULL ? 0 : strtoull(space + 1, &end, 10);
    s->is_damaged = space == NULL || space[1] < '0' || space[1] > '9' || *end != '\0' ||
                    len > CLUSTERDUMP_DOCUMENT_CAP_BYTES ||
                    s->rest.total_out + len > CLUSTERDUMP_BUNDLE_CAP_BYTES;
    if (s->is_damaged)
        return NULL;
    *space = '\0';
    char *bytes = mem_array((size_t)len + 1, 1);
    if (!is_document_path(head) || !unpack(s, bytes, (size_t)len + 1) || bytes[len] != '\n') {
        s->is_damaged = true;
        mem_free(bytes);
        return NULL;
    }
    bytes[len] = '\0';
    struct document *d = add_document(s, head, (size_t)(space - head));
    d->bytes = bytes;
    d->len = (size_t)len;
    return d;
}

/* Reads as far as the document. NULL with ERR_NOT_FOUND or ERR_INVALID. */
static struct document *read_until(struct clusterdump *s, const char *path, struct err *err)
{
    struct document *d = read_record(s);
    while (d != NULL && strcmp(d->path, path) != 0)
        d = read_record(s);
    if (s->is_damaged)
        (void)err_set(err, ERR_INVALID, "not a bundle, or a damaged one");
    else if (d == NULL)
        (void)err_set(err, ERR_NOT_FOUND, "the bundle has no %.200s", path);
    return d;
}

/* Returns NULL if the bytes are not a bundle. */
static struct clusterdump *open_bundle(const void *bytes, size_t len, struct err *err)
{
    struct clusterdump *s = mem_zalloc(sizeof *s);
    if (len > UINT32_MAX || inflateInit2(&s->rest, GZIP_WINDOW_BITS) != Z_OK) {
        mem_free(s);
        (void)err_set(err, ERR_INTERNAL, "zlib cannot be initialised");
        return NULL;
    }
    memcpy(&s->rest.next_in, &bytes, sizeof s->rest.next_in);
    s->rest.avail_in = (uInt)len;
    if (read_record(s) != NULL)
        return s;
    clusterdump_free(s);
    (void)err_set(err, ERR_INVALID, "not a bundle, or a damaged one");
    return NULL;
}

int clusterdump_open_bytes(const void *bytes, size_t len, struct clusterdump **out, struct err *err)
{
    *out = open_bundle(bytes, len, err);
    return *out == NULL ? -1 : 0;
}

/* ---- reading ---- */

int clusterdump_open(const char *path, struct clusterdump **out, struct err *err)
{
    struct stat st;
    cleanup_mem char *bytes = NULL;
    size_t len;
    *out = NULL;
    if (stat(path, &st) != 0)
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_INVALID, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode)) {
        *out = mem_zalloc(sizeof **out);
        (*out)->root = mem_strdup(path);
        return 0;
    }
    if (file_read(path, CLUSTERDUMP_BUNDLE_CAP_BYTES, &bytes, &len, err) != 0)
        return -1;
    struct clusterdump *s = open_bundle(bytes, len, err);
    if (s == NULL)
        return err_prefix(err, "%s", path);
    s->file = bytes;
    bytes = NULL;
    *out = s;
    return 0;
}

void clusterdump_free(struct clusterdump *snapshot)
{
    if (!snapshot)
        return;
    for (size_t i = 0; i < snapshot->count; i++) {
        mem_free(snapshot->documents[i].path);
        mem_free(snapshot->documents[i].bytes);
    }
    if (snapshot->root == NULL)
        inflateEnd(&snapshot->rest);
    mem_free(snapshot->documents);
    mem_free(snapshot->root);
    mem_free(snapshot->file);
    mem_free(snapshot);
}

static int read_file(struct clusterdump *s, const char *url_path, struct document **out, struct err *err)
{
    cleanup_mem char *file = mem_printf("%s%s.json", s->root, url_path);
    char *bytes;
    size_t len;
    if (file_read(file, CLUSTERDUMP_DOCUMENT_CAP_BYTES, &bytes, &len, err) != 0)
        return -1;
    /* Each is allocated on its own: a document that was handed out must not move. */
    *out = add_document(s, url_path, strlen(url_path));
    (*out)->bytes = bytes;
    (*out)->len = len;
    return 0;
}

int clusterdump_get(struct clusterdump *snapshot, const char *url_path, const char **bytes, size_t *len,
                    struct err *err)
{
    if (!is_document_path(url_path))
        return refuse_path(url_path, ERR_NOT_FOUND, err);
    struct document *d = find(snapshot, url_path);
    if (d == NULL && snapshot->root == NULL && (d = read_until(snapshot, url_path, err)) == NULL)
        return -1;
    if (d == NULL && read_file(snapshot, url_path, &d, err) != 0)
        return -1;
    *bytes = d->bytes;
    *len = d->len;
    return 0;
}

/* ---- writing ---- */

/* mkdir -p of everything before the last slash. */
static int make_directories(char *path, struct err *err)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int result = mkdir(path, 0777);
        const int why = errno;
        if (result != 0 && why != EEXIST) {
            (void)err_set(err, ERR_INVALID, "%s: %s", path, strerror(why));
            *slash = '/';
            return -1;
        }
        *slash = '/';
    }
    return 0;
}

static bool is_link(int directory, const char *name)
{
    struct stat st;
    return fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
}

/* shown: the whole path, for messages. */
static int refuse_link(const char *shown, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s: a symbolic link, which is not followed", shown);
}

/* The directory below another, made if it is not there; closes the other. Returns a descriptor or -1. */
static int enter(int parent, const char *name, const char *shown, struct err *err)
{
    const int made = mkdirat(parent, name, 0777);
    int fd = made == 0 || errno == EEXIST
                 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
    const int why = errno;
    if (fd < 0 && is_link(parent, name))
        (void)refuse_link(shown, err);
    else if (fd < 0)
        (void)err_set(err, ERR_INVALID, "%s: %s", shown, strerror(why));
    close(parent);
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        const ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Writes the file under another name first, so that a file under its own name is whole. */
static int write_file(int directory, const char *name, const char *shown, const char *bytes, size_t len,
                      struct err *err)
{
    cleanup_mem char *partial = mem_printf("%s.partial", name);
    if (is_link(directory, name))
        return refuse_link(shown, err);
    (void)unlinkat(directory, partial, 0); /* left by a run that ended early */
    const int fd = openat(directory, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(err, ERR_INVALID, "%s: %s", shown, strerror(errno));
    bool is_good = write_all(fd, bytes, len);
    is_good = close(fd) == 0 && is_good;
    if (is_good && renameat(directory, partial, directory, name) == 0)
        return 0;
    (void)err_set(err, ERR_INVALID, "%s: %s", shown, strerror(errno));
    (void)unlinkat(directory, partial, 0);
    return -1;
}

int clusterdump_make(const char *directory, struct err *err)
{
    cleanup_mem char *within = mem_printf("%s/", directory);
    return make_directories(within, err);
}

/* Writes through its own directories only, and follows no link: one who can put a link there cannot make it
 * write elsewhere. */
int clusterdump_write(const char *directory, const char *url_path, const char *bytes, size_t len,
                      struct err *err)
{
    if (!is_document_path(url_path))
        return refuse_path(url_path, ERR_INVALID, err);
    if (len > CLUSTERDUMP_DOCUMENT_CAP_BYTES)
        return err_set(err, ERR_LIMIT, "%s: more than %d bytes", url_path, CLUSTERDUMP_DOCUMENT_CAP_BYTES);
    cleanup_mem char *file = mem_printf("%s.json", url_path + 1);
    cleanup_mem char *shown = mem_printf("%s/%s", directory, file);
    const size_t before = strlen(directory) + 1;
    char *name = file;
    int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return err_set(err, ERR_INVALID, "%s: %s", directory, strerror(errno));
    for (char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        *slash = shown[before + (size_t)(slash - file)] = '\0';
        at = enter(at, name, shown, err);
        shown[before + (size_t)(slash - file)] = '/';
    }
    const int result = at < 0 ? -1 : write_file(at, name, shown, bytes, len, err);
    if (at >= 0)
        close(at);
    return result;
}
