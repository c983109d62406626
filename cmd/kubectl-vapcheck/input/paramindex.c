#include "cmd/kubectl-vapcheck/input/paramindex.h"

#include <stdint.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

enum {
    /* Names that are compared in one run: a second at most. */
    COMPARED_MAX = 1000 * 1000,
    /* In a shorter word one letter may be the difference that is meant: team-a, dev2. */
    WORD_MIN_BYTES = 4,
    /* In a longer one two letters may be wrong. */
    LONG_WORD_BYTES = 9,
};

static char *kind_key(const char *api_version, const char *kind)
{
    const char *slash = strchr(api_version, '/');
    return mem_printf("%.*s\n%s", slash == NULL ? 0 : (int)(slash - api_version), api_version, kind);
}

static char *ref_key(const char *namespace, const char *name)
{
    return mem_printf("%s\n%s", namespace, name);
}

/* The member of a map, which is made where there is none. */
static struct json_object *enter(struct json_object *map, const char *key)
{
    struct json_object *member = jsonval_get(map, key);
    if (member == NULL) {
        member = json_object_new_object();
        jsonval_set(map, key, member);
    }
    return member;
}

void paramindex_add(struct paramindex *index, struct json_object *object)
{
    const char *name = jsonval_metadata(object, "name");
    cleanup_mem char *key =
        kind_key(jsonval_string_or_empty(object, "apiVersion"), jsonval_string_or_empty(object, "kind"));
    if (*name == '\0')
        return;
    if (index->kinds == NULL)
        index->kinds = json_object_new_object();
    jsonval_set(enter(enter(index->kinds, key), name), jsonval_metadata(object, "namespace"),
                json_object_new_boolean(true));
}

void paramindex_add_binding(struct paramindex *index, struct json_object *binding)
{
    struct json_object *ref = jsonval_get(jsonval_get(binding, "spec"), "paramRef");
    cleanup_mem char *key =
        ref_key(jsonval_string_or_empty(ref, "namespace"), jsonval_string_or_empty(ref, "name"));
    (void)keymap_add(&index->named, key);
}

void paramindex_deinit(struct paramindex *index)
{
    json_object_put(index->kinds);
    keymap_deinit(&index->named, NULL);
}

static bool is_named(const struct paramindex *index, const char *namespace, const char *name)
{
    cleanup_mem char *key = ref_key(namespace, name);
    return keymap_get(&index->named, key) != NULL;
}

static bool find_elsewhere(const struct paramindex *index, struct json_object *namespaces,
                           struct paramindex_ref *out)
{
    jsonval_each(namespaces, namespace, value)
    {
        if (is_named(index, namespace, out->name))
            continue;
        out->namespace = namespace;
        return true;
    }
    return false;
}

/* The first word of a name, up to one of its separators, and the rest behind it. */
static struct str first_word(const char **name)
{
    const struct str word = {*name, strcspn(*name, "-.")};
    *name += word.len + ((*name)[word.len] != '\0');
    return word;
}

static size_t digits_in(struct str word)
{
    size_t count = 0;
    for (size_t i = 0; i < word.len; i++)
        count += str_is_digit(word.at[i]);
    return count;
}

static bool is_word_near(struct str a, struct str b)
{
    const size_t longer = a.len > b.len ? a.len : b.len, shorter = a.len + b.len - longer;
    const size_t most = longer < LONG_WORD_BYTES ? 1 : 2;
    return shorter >= WORD_MIN_BYTES && longer <= SUGGEST_NAME_BYTES && digits_in(a) + digits_in(b) == 0 &&
           suggest_distance(a, b, longer) <= most;
}

static size_t words_in(const char *name)
{
    size_t count = 0;
    while (*name != '\0') {
        (void)first_word(&name);
        count++;
    }
    return count;
}

/* Returns true if one of the words is misspelled, or a separator is missing: one difference, not two. */
static bool is_near(const char *a, const char *b)
{
    size_t different = 0;
    if (words_in(a) != words_in(b))
        return is_word_near(str_of(a), str_of(b));
    while (*a != '\0' && different < 2) {
        const struct str of_a = first_word(&a), of_b = first_word(&b);
        if (str_eq(of_a, of_b))
            continue;
        different += is_word_near(of_a, of_b) ? 1 : 2;
    }
    return different == 1;
}

static bool find_near(struct paramindex *index, struct json_object *names, struct paramindex_ref *out)
{
    const char *asked = out->name;
    jsonval_each(names, name, namespaces)
    {
        if (index->compared++ >= COMPARED_MAX)
            return false;
        if (jsonval_get(namespaces, out->namespace) == NULL || !is_near(asked, name) ||
            is_named(index, out->namespace, name))
            continue;
        out->name = name;
        return true;
    }
    return false;
}

bool paramindex_find(struct paramindex *index, const struct paramindex_ref *wanted,
                     struct paramindex_ref *out)
{
    cleanup_mem char *key = kind_key(wanted->api_version, wanted->kind);
    struct json_object *names = jsonval_get(index->kinds, key);
    struct json_object *namespaces = jsonval_get(names, wanted->name);
    *out = *wanted;
    if (jsonval_get(namespaces, wanted->namespace) != NULL || jsonval_get(namespaces, "") != NULL)
        return false;
    if (namespaces != NULL)
        return find_elsewhere(index, namespaces, out);
    return find_near(index, names, out);
}
