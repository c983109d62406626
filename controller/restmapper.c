#include "controller/restmapper.h"

#include <string.h>
#include <strings.h>

#include "client/mem.h"

/* What an asked name means in one group-version: a resource's kind, the list of it, or nothing. */
struct meaning {
    const struct discovery_resource *resource;
    bool is_list;
};

static bool has_suffix(const char *name, const char *stem, const char *suffix)
{
    size_t len = strlen(stem);
    return strncasecmp(name, stem, len) == 0 && strcasecmp(name + len, suffix) == 0;
}

/* The last entry wins, since each resource's entries overwrite what was there under the same name. */
static struct meaning find_meaning(const struct discovery_version *version, const char *name)
{
    struct meaning found = {NULL, false};
    for (size_t i = 0; i < version->n_resources; i++) {
        const struct discovery_resource *r = &version->resources[i];
        const char *singular = r->singular[0] != '\0' ? r->singular : r->kind;
        if (r->kind[0] == '\0')
            continue;
        if (strcasecmp(name, r->name) == 0 || strcasecmp(name, singular) == 0)
            found = (struct meaning){r, false};
        if (has_suffix(name, r->kind, "list") || has_suffix(name, r->kind, "lists"))
            found = (struct meaning){r, true};
    }
    return found;
}

/* False when `visit` wants no more. */
static bool visit_version(const struct discovery_group *group, const struct discovery_version *version,
                          const char *name,
                          bool (*visit)(void *user, const char *group, const char *version, const char *kind),
                          void *user)
{
    /* every group-version is given a kind List */
    if (strcasecmp(name, "list") == 0 || strcasecmp(name, "lists") == 0)
        return visit(user, group->name, version->version, "List");
    struct meaning m = find_meaning(version, name);
    if (m.resource == NULL)
        return true;
    cleanup_mem char *kind = mem_printf("%s%s", m.resource->kind, m.is_list ? "List" : "");
    return visit(user, group->name, version->version, kind);
}

/* An exact group where the version is given, a prefix of it ("storage" for storage.k8s.io) where it is not.
 */
static bool group_matches(const char *asked, const char *group, bool has_version)
{
    if (asked[0] == '\0')
        return true;
    return has_version ? strcmp(asked, group) == 0 : strncmp(asked, group, strlen(asked)) == 0;
}

void restmapper_kinds_for(const struct discovery *discovery, const char *group, const char *version,
                          const char *resource,
                          bool (*visit)(void *user, const char *group, const char *version, const char *kind),
                          void *user)
{
    bool has_version = version[0] != '\0' && strcmp(version, "__internal") != 0;
    if (resource[0] == '\0')
        return;
    for (size_t i = 0; i < discovery->n_groups; i++) {
        const struct discovery_group *g = &discovery->groups[i];
        if (!group_matches(group, g->name, has_version))
            continue;
        for (size_t j = 0; j < g->n_versions; j++) {
            const struct discovery_version *v = &g->versions[j];
            if (has_version && strcmp(version, v->version) != 0)
                continue;
            if (!visit_version(g, v, resource, visit, user))
                return;
        }
    }
}
