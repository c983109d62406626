#include "client/text/jsonmeta.h"

enum { NAME, NAMESPACE, UID, VERSION, GENERATION, MANAGED, APPLIED, LABELS };

static const char *const paths[JSONMETA_PICKS][2] = {
    [NAME] = {"name"},
    [NAMESPACE] = {"namespace"},
    [UID] = {"uid"},
    [VERSION] = {"resourceVersion"},
    [GENERATION] = {"generation"},
    [MANAGED] = {"managedFields"},
    [APPLIED] = {"annotations", "kubectl.kubernetes.io/last-applied-configuration"},
    [LABELS] = {"labels"},
};

void jsonmeta_paths(struct jsonpick_pick *picks, const char *member)
{
    for (size_t i = 0; i < JSONMETA_PICKS; i++) {
        size_t n = 0;
        picks[i] = (struct jsonpick_pick){0};
        if (member)
            picks[i].path[n++] = member;
        picks[i].path[n++] = "metadata";
        picks[i].path[n++] = paths[i][0];
        if (paths[i][1])
            picks[i].path[n] = paths[i][1];
    }
}

void jsonmeta_take(struct jsonmeta *meta, const struct jsonpick_pick *picks)
{
    *meta = (struct jsonmeta){.name = picks[NAME].value,
                              .namespace = picks[NAMESPACE].value,
                              .uid = picks[UID].value,
                              .version = picks[VERSION].value,
                              .generation = picks[GENERATION].value,
                              .managed = picks[MANAGED].value,
                              .applied = picks[APPLIED].value,
                              .labels = picks[LABELS].value};
}

int jsonmeta_read(struct jsonmeta *meta, const char *bytes, size_t len, struct err *err)
{
    struct jsonpick_pick picks[JSONMETA_PICKS];
    jsonmeta_paths(picks, NULL);
    if (jsonpick_pick(bytes, len, picks, JSONMETA_PICKS, err) != 0)
        return -1;
    jsonmeta_take(meta, picks);
    return 0;
}

void jsonmeta_read_head(struct jsonmeta *meta, const char *bytes, size_t len)
{
    struct jsonpick_pick picks[JSONMETA_PICKS];
    jsonmeta_paths(picks, NULL);
    jsonpick_head(bytes, len, picks, JSONMETA_PICKS);
    jsonmeta_take(meta, picks);
}
