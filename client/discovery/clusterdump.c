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

enum { RECORD_HEAD_BYTES = 2048, U32_BYTES = 4 };

struct document {
    char *path;
    const unsigned char *packed; /* of a bundle: its member, which is borrowed; NULL: a directory's */
    size_t packed_len;
    char *room;        /* what holds the bytes; NULL: it was not asked for */
    const char *bytes; /* in room */
    size_t len;
};

struct clusterdump {
    char *root;                 /* of a directory; NULL: a bundle */
    char *file;                 /* the bytes of a bundle's file; NULL: the caller has them */
    struct document *documents; /* a directory's: those that were read */
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

/* The beginning of each member of a bundle, in the terms of RFC 1952: the magic number, deflate, the flags
 * FEXTRA and FNAME, no time, the best compression, no system, and the extra field, in which the length of the
 * whole member stands as a subfield of four bytes. Behind it are the path of the document with a NUL, the
 * packed record, and the record's checksum and length. */
static const unsigned char member_head[] = {0x1f, 0x8b, 8, 0x0c, 0,   0,   0,         0,
                                            2,    255,  8, 0,    'v', 'c', U32_BYTES, 0};
enum { MEMBER_PATH_AT = sizeof member_head + U32_BYTES, MEMBER_TAIL_BYTES = 2 * U32_BYTES };

static size_t read_u32(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* Adds the document of the member, which is unpacked when it is asked for. Returns the member's length, or 0
 * if it is none. *is_last: it is the empty one at the end of a bundle. */
static size_t read_member(struct clusterdump *s, const unsigned char *at, size_t left, bool *is_last)
{
    if (left < MEMBER_PATH_AT || memcmp(at, member_head, sizeof member_head) != 0)
        return 0;
    const size_t len = read_u32(at + sizeof member_head);
    if (len > left || len < MEMBER_PATH_AT + MEMBER_TAIL_BYTES)
        return 0;
    const unsigned char *path = at + MEMBER_PATH_AT;
    const unsigned char *end = memchr(path, '\0', len - MEMBER_PATH_AT - MEMBER_TAIL_BYTES);
    *is_last = end == path;
    if (end == NULL || *is_last)
        return end == NULL ? 0 : len;
    struct document *d = add_document(s, (const char *)path, (size_t)(end - path));
    d->packed = at;
    d->packed_len = len;
    return is_document_path(d->path) ? len : 0;
}

static int read_members(struct clusterdump *s, const unsigned char *bytes, size_t len, struct err *err)
{
    bool is_last = false;
    size_t at = 0;
    while (!is_last) {
        const size_t n = read_member(s, bytes + at, len - at, &is_last);
        if (n == 0)
            return err_set(err, ERR_INVALID, "not a bundle, or a damaged one: byte %zu", at);
        at += n;
    }
    return at == len ? 0 : err_set(err, ERR_INVALID, "a bundle with something behind its end, byte %zu", at);
}

int clusterdump_open_bytes(const void *bytes, size_t len, struct clusterdump **out, struct err *err)
{
    struct clusterdump *s = mem_zalloc(sizeof *s);
    const int result = read_members(s, bytes, len, err);
    *out = result == 0 ? s : NULL;
    if (result != 0)
        clusterdump_free(s);
    return result;
}

/* Inflates a member, all of it at once, into the room, whose length the member says. */
static bool inflate_member(const struct document *d, char *room, size_t len)
{
    z_stream z = {.avail_in = (uInt)d->packed_len, .next_out = (unsigned char *)room, .avail_out = (uInt)len};
    memcpy(&z.next_in, &d->packed, sizeof z.next_in);
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return false;
    const int code = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return code == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
}

/* The record of a document is "PATH LENGTH\n" BYTES "\n". */
static bool read_record(struct document *d, size_t record_len)
{
    const size_t most = record_len < RECORD_HEAD_BYTES ? record_len : RECORD_HEAD_BYTES;
    const char *newline = memchr(d->room, '\n', most);
    if (newline == NULL || newline == d->room + record_len - 1 || d->room[record_len - 1] != '\n')
        return false;
    d->bytes = newline + 1;
    d->len = record_len - 1 - (size_t)(d->bytes - d->room);
    d->room[record_len - 1] = '\0';
    cleanup_mem char *head = mem_printf("%s %zu\n", d->path, d->len);
    return strncmp(d->room, head, (size_t)(d->bytes - d->room)) == 0;
}

static int unpack(struct document *d, struct err *err)
{
    const size_t len = read_u32(d->packed + d->packed_len - U32_BYTES);
    if (len > CLUSTERDUMP_DOCUMENT_CAP_BYTES + RECORD_HEAD_BYTES)
        return err_set(err, ERR_LIMIT, "%s: more than %d bytes", d->path, CLUSTERDUMP_DOCUMENT_CAP_BYTES);
    d->room = mem_array(len + 1, 1);
    if (inflate_member(d, d->room, len) && read_record(d, len))
        return 0;
    mem_free(d->room);
    d->room = NULL;
    return err_set(err, ERR_INVALID, "%s: damaged in the bundle", d->path);
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
    if (clusterdump_open_bytes(bytes, len, out, err) != 0)
        return err_prefix(err, "%s", path);
    (*out)->file = bytes;
    bytes = NULL;
    return 0;
}

void clusterdump_free(struct clusterdump *snapshot)
{
    if (!snapshot)
        return;
    for (size_t i = 0; i < snapshot->count; i++) {
        mem_free(snapshot->documents[i].path);
        mem_free(snapshot->documents[i].room);
    }
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
    (*out)->room = bytes;
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
    if (!d && !snapshot->root)
        return err_set(err, ERR_NOT_FOUND, "the bundle has no %.200s", url_path);
    if (!d && read_file(snapshot, url_path, &d, err) != 0)
        return -1;
    if (d->packed != NULL && d->room == NULL && unpack(d, err) != 0)
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
