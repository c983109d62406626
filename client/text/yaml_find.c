/* Members and items of a parsed node, by key, by index and by field path. */
#include "client/text/yaml.h"

#include <stdint.h>
#include <string.h>

#include "client/base/mem.h"

/* Compares as strcmp a key with a text of which only len bytes count. */
static int compare(const char *key, const char *text, size_t len)
{
    const int by = strncmp(key, text, len);
    return by != 0 ? by : key[len] != '\0';
}

/* Returns the number of the sorted members whose key is not after the text. */
static size_t count_up_to(const struct yaml_node *mapping, const char *text, size_t len)
{
    struct yaml_node *const *sorted = mapping->children + mapping->n_children;
    size_t first = 0, behind = mapping->n_children;
    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;
        if (compare(sorted[middle]->key, text, len) <= 0)
            first = middle + 1;
        else
            behind = middle;
    }
    return first;
}

static bool is_sorted(const struct yaml_node *node)
{
    return node->n_children > YAML_FEW_MEMBERS && json_object_is_type(node->json, json_type_object);
}

static const struct yaml_node *member(const struct yaml_node *mapping, const char *key, size_t len)
{
    if (mapping && is_sorted(mapping)) {
        const size_t count = count_up_to(mapping, key, len);
        const struct yaml_node *last = count == 0 ? NULL : mapping->children[mapping->n_children + count - 1];
        return last && compare(last->key, key, len) == 0 ? last : NULL;
    }
    for (size_t i = 0; mapping && i < mapping->n_children; i++) {
        const char *name = mapping->children[i]->key;
        if (name && compare(name, key, len) == 0)
            return mapping->children[i];
    }
    return NULL;
}

const struct yaml_node *yaml_member(const struct yaml_node *mapping, const char *key)
{
    return member(mapping, key, strlen(key));
}

static const struct yaml_node *item(const struct yaml_node *sequence, size_t index)
{
    if (!sequence || !json_object_is_type(sequence->json, json_type_array) || index >= sequence->n_children)
        return NULL;
    return sequence->children[index];
}

static size_t common_length(const char *a, const char *b, size_t len)
{
    size_t n = 0;
    while (n < len && a[n] == b[n] && a[n] != '\0')
        n++;
    return n;
}

/* The same as bracketed. Each turn finds the longest key that the text can begin with, and makes the text
 * shorter. */
static const struct yaml_node *bracketed_sorted(const struct yaml_node *mapping, const char *path)
{
    size_t len = strlen(path), count;
    while ((count = count_up_to(mapping, path, len)) > 0) {
        const struct yaml_node *last = mapping->children[mapping->n_children + count - 1];
        const size_t common = common_length(last->key, path, len);
        if (last->key[common] == '\0' && path[common] == ']')
            return last;
        if (len == 0)
            break;
        len = common < len ? common : len - 1;
    }
    return NULL;
}

/* The member whose key begins the path and stands before a ']'; keys may hold one themselves. */
static const struct yaml_node *bracketed(const struct yaml_node *mapping, const char *path)
{
    const struct yaml_node *longest = NULL;
    if (is_sorted(mapping))
        return bracketed_sorted(mapping, path);
    for (size_t i = 0; i < mapping->n_children; i++) {
        const char *key = mapping->children[i]->key;
        size_t len = key ? strlen(key) : 0;
        if (key && strncmp(key, path, len) == 0 && path[len] == ']' &&
            (!longest || len > strlen(longest->key)))
            longest = mapping->children[i];
    }
    return longest;
}

const struct yaml_node *yaml_find(const struct yaml_node *root, const char *path)
{
    const struct yaml_node *at = root;
    while (at && *path) {
        if (*path == '.') {
            path++;
        } else if (*path == '[' && json_object_is_type(at->json, json_type_object)) {
            at = bracketed(at, path + 1);
            path += at ? strlen(at->key) + 2 : 0;
        } else if (*path == '[') {
            size_t index = 0;
            for (path++; *path >= '0' && *path <= '9' && index < SIZE_MAX / 16; path++)
                index = index * 10 + (size_t)(*path - '0');
            if (*path != ']')
                return NULL;
            path++;
            at = item(at, index);
        } else {
            const size_t len = strcspn(path, ".[");
            at = member(at, path, len);
            path += len;
        }
    }
    return at;
}

char *yaml_child_path(const char *path, const struct yaml_node *parent, size_t index)
{
    const char *key = parent->children[index]->key;
    if (key == NULL)
        return mem_printf("%s[%zu]", path, index);
    if (*path == '\0')
        return mem_strdup(key);
    return strpbrk(key, ".[]") == NULL ? mem_printf("%s.%s", path, key) : mem_printf("%s[%s]", path, key);
}
