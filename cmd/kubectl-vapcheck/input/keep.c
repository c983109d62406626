#include "cmd/kubectl-vapcheck/input/keep.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"

/* A file that is younger than this when it is read may change unseen: its times count seconds. */
enum { SETTLED_SECONDS = 2 };

/* The marks by which a changed file is known. */
struct stamp {
    uint64_t device, inode, size;
    int64_t modified, changed; /* seconds since 1970 */
};

struct kept {
    struct manifest manifest; /* the first member: keep_done has only this */
    struct stamp stamp;
    bool is_used;  /* since keep_begin */
    bool is_whole; /* it is kept with its tree */
};

struct keep {
    struct keymap files; /* struct kept, by name */
    uint64_t text_bytes; /* of the files whose trees are kept */
};

struct keep *keep_new(void)
{
    return mem_zalloc(sizeof(struct keep));
}

static void free_kept(void *value)
{
    struct kept *k = value;
    manifest_deinit(&k->manifest);
    mem_free(k);
}

void keep_free(struct keep *keep)
{
    if (keep != NULL)
        keymap_deinit(&keep->files, free_kept);
    mem_free(keep);
}

/* Returns false if it is no plain file. */
static bool read_stamp(const struct input *input, struct stamp *stamp)
{
    struct stat st;
    if (input->text != NULL || input->problem != NULL || strcmp(input->name, "-") == 0 ||
        stat(input->name, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    *stamp = (struct stamp){.device = (uint64_t)st.st_dev,
                            .inode = (uint64_t)st.st_ino,
                            .size = (uint64_t)st.st_size,
                            .modified = (int64_t)st.st_mtime,
                            .changed = (int64_t)st.st_ctime};
    return true;
}

static bool is_same(const struct stamp *one, const struct stamp *other)
{
    return one->device == other->device && one->inode == other->inode && one->size == other->size &&
           one->modified == other->modified && one->changed == other->changed;
}

static bool is_settled(const struct stamp *stamp)
{
    return stamp->changed + SETTLED_SECONDS <= (int64_t)time(NULL);
}

struct unused {
    const char **names;
    size_t count;
    uint64_t bytes;
};

static void visit(void *user, const char *name, void *value)
{
    struct unused *u = user;
    struct kept *k = value;
    if (!k->is_used) {
        u->names = mem_grow(u->names, u->count, sizeof *u->names);
        u->names[u->count++] = name;
        u->bytes += k->stamp.size;
    }
    k->is_used = false;
}

void keep_begin(struct keep *keep)
{
    struct unused u = {.count = 0};
    keymap_each(&keep->files, visit, &u);
    for (size_t i = 0; i < u.count; i++)
        free_kept(keymap_remove(&keep->files, u.names[i]));
    keep->text_bytes -= u.bytes;
    mem_free(u.names);
}

/* Forgets the file that was kept under the name: it has changed. */
static void forget(struct keep *keep, const char *name)
{
    struct kept *old = keymap_remove(&keep->files, name);
    if (old == NULL)
        return;
    keep->text_bytes -= old->stamp.size;
    free_kept(old);
}

static struct manifest *read_new(const struct input *input, const struct manifest_reading *reading)
{
    struct kept *k = mem_zalloc(sizeof *k);
    manifest_read_reduced(&k->manifest, input, reading);
    return &k->manifest;
}

struct manifest *keep_read(struct keep *keep, const struct input *input,
                           const struct manifest_reading *reading)
{
    struct stamp stamp;
    if (keep == NULL)
        return read_new(input, reading);
    if (!read_stamp(input, &stamp))
        return read_new(input, reading);
    struct kept *k = keymap_get(&keep->files, input->name);
    if (k != NULL && is_same(&k->stamp, &stamp)) {
        k->is_used = true;
        manifest_rename(&k->manifest, input);
        return &k->manifest;
    }
    forget(keep, input->name);
    const bool may_be_kept = is_settled(&stamp) && keep->text_bytes + stamp.size <= KEEP_TEXT_BYTES;
    struct manifest *m = read_new(input, may_be_kept ? NULL : reading);
    k = (struct kept *)m;
    k->is_whole = may_be_kept && m->problem == NULL && m->left_out == NULL;
    if (!k->is_whole)
        return m;
    k->stamp = stamp;
    k->is_used = true;
    keep->text_bytes += stamp.size;
    keymap_put(&keep->files, input->name, k);
    return m;
}

static bool is_whole(const struct manifest *m)
{
    return ((const struct kept *)m)->is_whole;
}

void keep_release(const struct keep *keep, struct manifest *m)
{
    if (keep == NULL || !is_whole(m))
        manifest_release(m);
}

void keep_done(const struct keep *keep, struct manifest *m)
{
    if (keep == NULL || !is_whole(m))
        free_kept(m);
}
