#include "controller/match/restmapper.h"

#include <string.h>
#include <strings.h>

#include "client/base/mem.h"

/* The meaning of a name in one group-version: a resource's kind, the list of it, or nothing. */
struct meaning {
    const struct discovery_resource *resource;
    bool is_list;
};

/* An asked name in lower case, and how much of it comes before "list" or "lists"; 0: it does not end so. */
struct asked {
    const char *name;
    size_t stem;
};

static char *lower(const char *name)
{
    char *copy = mem_strdup(name);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    }
    return copy;
}

static struct asked ask(const char *name)
{
    size_t len = strlen(name);
    if (len >= 4 && strcmp(name + len - 4, "list") == 0)
        return (struct asked){name, len - 4};
    if (len >= 5 && strcmp(name + len - 5, "lists") == 0)
        return (struct asked){name, len - 5};
    return (struct asked){name, 0};
}

static bool is_list_of(struct asked asked, const char *kind)
{
    return asked.stem != 0 && strncasecmp(asked.name, kind, asked.stem) == 0 && kind[asked.stem] == '\0';
}

/* Returns true if the served singular name, or, where there is none, the kind's in lower case, was asked
 * for. */
static bool is_singular(struct asked asked, const struct discovery_resource *r)
{
    return r->singular[0] != '\0' ? strcmp(asked.name, r->singular) == 0
                                  : strcasecmp(asked.name, r->kind) == 0;
}

/* The last entry wins, since each resource's entries overwrite what was there under the same name. */
static struct meaning find_meaning(const struct discovery_version *version, struct asked asked)
{
    struct meaning found = {NULL, false};
    for (size_t i = 0; i < version->n_resources; i++) {
        const struct discovery_resource *r = &version->resources[i];
        if (r->kind[0] == '\0')
            continue;
        if (strcmp(asked.name, r->name) == 0 || is_singular(asked, r))
            found = (struct meaning){r, false};
        if (is_list_of(asked, r->kind))
            found = (struct meaning){r, true};
    }
    return found;
}

/* Visits the kinds of a version. Returns false when `visit` wants no more. */
static bool visit_version(const struct discovery_group *group, const struct discovery_version *version,
                          struct asked asked,
                          bool (*visit)(void *user, const char *group, const char *version, const char *kind),
                          void *user)
{
    /* every group-version is given a kind List */
    if (strcmp(asked.name, "list") == 0 || strcmp(asked.name, "lists") == 0)
        return visit(user, group->name, version->version, "List");
    struct meaning m = find_meaning(version, asked);
    if (m.resource == NULL)
        return true;
    cleanup_mem char *kind = mem_printf("%s%s", m.resource->kind, m.is_list ? "List" : "");
    return visit(user, group->name, version->version, kind);
}

/* An exact group where the version is given, a prefix of it ("storage" for storage.k8s.io) where it is
 * not. */
static bool group_matches(const char *asked, const char *group, bool has_version)
{
    if (asked[0] == '\0')
        return true;
    return has_version ? strcmp(asked, group) == 0 : strncmp(asked, group, strlen(asked)) == 0;
}

size_t restmapper_kinds_for(
    const struct discovery *discovery, const char *group, const char *version, const char *resource,
    bool (*visit)(void *user, const char *group, const char *version, const char *kind), void *user)
{
    bool has_version = version[0] != '\0' && strcmp(version, "__internal") != 0;
    cleanup_mem char *name = lower(resource);
    struct asked asked = ask(name);
    size_t looked_at = 0;
    if (name[0] == '\0')
        return 0;
    for (size_t i = 0; i < discovery->n_groups; i++) {
        const struct discovery_group *g = &discovery->groups[i];
        looked_at++;
        if (!group_matches(group, g->name, has_version))
            continue;
        for (size_t j = 0; j < g->n_versions; j++) {
            const struct discovery_version *v = &g->versions[j];
            looked_at++;
            if (has_version && strcmp(version, v->version) != 0)
                continue;
            looked_at += v->n_resources;
            if (!visit_version(g, v, asked, visit, user))
                return looked_at;
        }
    }
    return looked_at;
}
