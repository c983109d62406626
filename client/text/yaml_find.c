/* Members and items of a parsed node, by key, by index and by field path. */
#include "client/text/yaml.h"

#include <stdint.h>
#include <string.h>

static const struct yaml_node *member(const struct yaml_node *mapping, const char *key, size_t len)
{
    for (size_t i = 0; mapping && i < mapping->n_children; i++) {
        const char *name = mapping->children[i]->key;
        if (name && strncmp(name, key, len) == 0 && name[len] == '\0')
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

/* The member whose key begins the path and stands before a ']'; keys may hold one themselves. */
static const struct yaml_node *bracketed(const struct yaml_node *mapping, const char *path)
{
    const struct yaml_node *longest = NULL;
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
