#include "cmd/kubectl-vapcheck/input/excludes.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/mem.h"

enum { PATH_CAP_BYTES = 64 * 1024, DIRECTORY_CAP_BYTES = 4096 };

/* Absolute, without ".", ".." and double slashes; symbolic links stay. The caller frees it. */
static char *make_absolute(const char *path)
{
    char here[DIRECTORY_CAP_BYTES];
    cleanup_mem char *whole =
        file_resolve(getcwd(here, sizeof here) == NULL ? "/" : here, *path == '\0' ? "." : path);
    struct buf clean;
    buf_init(&clean, PATH_CAP_BYTES);
    for (const char *at = whole + strspn(whole, "/"); *at != '\0'; at += strspn(at, "/")) {
        const size_t len = strcspn(at, "/");
        if (len == 2 && strncmp(at, "..", 2) == 0) {
            const char *last = clean.len == 0 ? NULL : strrchr(clean.data, '/');
            if (last != NULL) {
                clean.len = (size_t)(last - clean.data);
                clean.data[clean.len] = '\0';
            }
        } else if (len != 1 || *at != '.') {
            buf_printf(&clean, "/%.*s", (int)len, at);
        }
        at += len;
    }
    return buf_take(&clean, NULL);
}

void excludes_add(struct excludes *excludes, const char *directory, const char *pattern)
{
    excludes->items = mem_realloc(excludes->items, excludes->count + 1, sizeof *excludes->items);
    excludes->items[excludes->count++] = (struct exclude){make_absolute(directory), mem_strdup(pattern)};
}

void excludes_deinit(struct excludes *excludes)
{
    for (size_t i = 0; i < excludes->count; i++) {
        mem_free(excludes->items[i].directory);
        mem_free(excludes->items[i].pattern);
    }
    mem_free(excludes->items);
    *excludes = (struct excludes){0};
}

/* Returns true if a name is what one name of a pattern says. */
static bool is_name(const char *pattern, size_t pattern_len, const char *name, size_t name_len)
{
    cleanup_mem char *p = mem_strndup(pattern, pattern_len), *n = mem_strndup(name, name_len);
    return fnmatch(p, n, 0) == 0;
}

/* Skips the next name of a path. */
static const char *skip_name(const char *path)
{
    path += strcspn(path, "/");
    return path + strspn(path, "/");
}

/* Returns true if the pattern, name by name, is the path, or a directory that it is in. Of several `**` only
 * the last ever has to stand for more. */
static bool is_below(const char *pattern, const char *path)
{
    const char *behind_stars = NULL, *from = NULL;
    pattern += strspn(pattern, "/");
    path += strspn(path, "/");
    while (*pattern != '\0') {
        const size_t len = strcspn(pattern, "/");
        if (len == 1 && *pattern == '.') {
            pattern = skip_name(pattern);
        } else if (len == 2 && strncmp(pattern, "**", 2) == 0) {
            pattern = behind_stars = skip_name(pattern);
            from = path;
        } else if (*path != '\0' && is_name(pattern, len, path, strcspn(path, "/"))) {
            pattern = skip_name(pattern);
            path = skip_name(path);
        } else if (behind_stars != NULL && *from != '\0') {
            path = from = skip_name(from);
            pattern = behind_stars;
        } else {
            return false;
        }
    }
    return true;
}

static bool has_slash(const char *pattern)
{
    const char *slash = strchr(pattern, '/');
    return slash != NULL && slash[strspn(slash, "/")] != '\0';
}

static bool is_excluded(const struct exclude *e, const char *path)
{
    const size_t len = strlen(e->directory);
    const bool is_inside = strncmp(path, e->directory, len) == 0 && path[len] == '/';
    if (has_slash(e->pattern) || *e->pattern == '/')
        return is_inside && is_below(e->pattern, path + len);
    cleanup_mem char *anywhere = mem_printf("**/%s", e->pattern);
    return is_below(anywhere, is_inside ? path + len : strrchr(path, '/'));
}

bool excludes_match(const struct excludes *excludes, const char *path)
{
    if (excludes->count == 0)
        return false;
    cleanup_mem char *absolute = make_absolute(path);
    for (size_t i = 0; i < excludes->count && *absolute != '\0'; i++) {
        if (is_excluded(&excludes->items[i], absolute))
            return true;
    }
    return false;
}
