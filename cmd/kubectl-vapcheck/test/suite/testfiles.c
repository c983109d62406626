#include "cmd/kubectl-vapcheck/test/suite/testfiles.h"

#include <string.h>

#include "client/base/file.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"

static struct manifest *keep(struct testfiles *files, const char *path)
{
    struct manifest *m = mem_zalloc(sizeof *m);
    files->items = mem_grow(files->items, files->count, sizeof(void *));
    files->items[files->count++] = m;
    keymap_put(&files->by_path, path, m);
    return m;
}

const struct manifest *testfiles_read(struct testfiles *files, const char *path, char **problem)
{
    struct manifest *m = keymap_get(&files->by_path, path);
    char *bytes = NULL;
    size_t len;
    struct err err = {0};
    if (m != NULL)
        return m;
    if (file_read(path, YAML_TEXT_CAP_BYTES, &bytes, &len, &err) != 0) {
        *problem = mem_strdup(err.msg);
        return NULL;
    }
    if (len > TESTFILES_CAP_BYTES - files->bytes) {
        *problem =
            mem_printf("%s: the files of one suite have more than %zu bytes", path, TESTFILES_CAP_BYTES);
        mem_free(bytes);
        return NULL;
    }
    files->bytes += len;
    m = keep(files, path);
    manifest_read_text(m, keymap_key(&files->by_path, path), bytes, len);
    mem_free(bytes);
    return m;
}

struct testobject *testfiles_add(struct testfiles *files, const struct manifest *m,
                                 const struct yaml_node *root)
{
    struct testobject *o = mem_zalloc(sizeof *o);
    o->place = (struct testplace){m->file, root->start};
    o->root = root;
    files->objects = mem_grow(files->objects, files->n_objects, sizeof(void *));
    return files->objects[files->n_objects++] = o;
}

static const char *metadata_of(const struct testobject *o, const char *key)
{
    return jsonval_metadata(o->root->json, key);
}

static char *key_of(const char *kind, const char *name)
{
    return mem_printf("%s\n%s", kind, name);
}

static bool is_same(const struct testobject *a, const struct testobject *b)
{
    return strcmp(jsonval_string_or_empty(a->root->json, "apiVersion"),
                  jsonval_string_or_empty(b->root->json, "apiVersion")) == 0 &&
           strcmp(metadata_of(a, "namespace"), metadata_of(b, "namespace")) == 0;
}

/* The later one stands before those of the same kind and name, and in place of the same object. */
static void put(struct testfiles *files, const char *key, struct testobject *o)
{
    struct testobject *first = keymap_get(&files->by_object, key);
    for (struct testobject **at = &first; *at != NULL && files->n_compared < TESTFILES_MAX_COMPARED;
         at = &(*at)->next) {
        files->n_compared++;
        if (is_same(*at, o)) {
            *at = (*at)->next;
            break;
        }
    }
    o->next = first;
    keymap_put(&files->by_object, key, o);
}

void testfiles_index(struct testfiles *files, const struct manifest *m)
{
    for (size_t i = 0; i < m->n_objects; i++) {
        const struct yaml_node *root = m->objects[i].root;
        if (!json_object_is_type(root->json, json_type_object))
            continue;
        struct testobject *o = testfiles_add(files, m, root);
        cleanup_mem char *key = key_of(jsonval_string_or_empty(root->json, "kind"), metadata_of(o, "name"));
        put(files, key, o);
    }
}

/* A group alone fixes nothing, if the test names none; a version counts only with its group. */
static bool is_asked_for(const struct testobject *o, const struct testfiles_query *q)
{
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(o->root->json, "apiVersion"));
    if (*q->namespace != '\0' && strcmp(q->namespace, metadata_of(o, "namespace")) != 0)
        return false;
    if (*q->group == '\0')
        return true;
    return strcmp(q->group, gv.group) == 0 && (*q->version == '\0' || strcmp(q->version, gv.version) == 0);
}

struct testobject *testfiles_find(struct testfiles *files, const struct testfiles_query *q, char **problem)
{
    cleanup_mem char *key = key_of(q->kind, q->name);
    struct testobject *found = NULL;
    for (struct testobject *o = keymap_get(&files->by_object, key); o != NULL; o = o->next) {
        if (files->n_compared++ >= TESTFILES_MAX_COMPARED) {
            *problem = mem_strdup("too many objects have the same kind and name");
            return NULL;
        }
        if (!is_asked_for(o, q))
            continue;
        if (found != NULL) {
            *problem = mem_printf("several resources are a %s named %s: say which namespace or group",
                                  q->kind, q->name);
            return NULL;
        }
        found = o;
    }
    if (found == NULL)
        *problem = mem_printf("no resource is a %s named %s%s%s", q->kind, q->name,
                              *q->namespace == '\0' ? "" : " in namespace ", q->namespace);
    return found;
}

void testfiles_forget(struct testfiles *files)
{
    for (size_t i = 0; i < files->n_objects; i++) {
        struct testobject *o = files->objects[i];
        mem_free(o->problem);
        mem_free(o->text);
        o->problem = o->text = NULL;
        o->is_checked = false;
    }
}

void testfiles_deinit(struct testfiles *files)
{
    testfiles_forget(files);
    for (size_t i = 0; i < files->n_objects; i++)
        mem_free(files->objects[i]);
    mem_free(files->objects);
    for (size_t i = 0; i < files->count; i++) {
        manifest_deinit(files->items[i]);
        mem_free(files->items[i]);
    }
    mem_free(files->items);
    keymap_deinit(&files->by_path, NULL);
    keymap_deinit(&files->by_object, NULL);
}
