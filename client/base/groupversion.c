#include "client/base/groupversion.h"

#include <string.h>

#include "client/base/mem.h"

struct groupversion groupversion_split(const char *text)
{
    const char *slash = strchr(text, '/');
    if (!slash)
        return (struct groupversion){.group = mem_strdup(""), .version = text};
    return (struct groupversion){.group = mem_strndup(text, (size_t)(slash - text)),
                                 .version = slash + 1,
                                 .is_malformed = strchr(slash + 1, '/') != NULL};
}

void groupversion_deinit(struct groupversion *gv)
{
    mem_free(gv->group);
}

int groupversion_path(const char *group, const char *version, char *out, size_t cap_bytes)
{
    const char *const parts[] = {*group ? "apis/" : "api/", group, *group ? "/" : "", version};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t len = strlen(parts[i]);
        if (len >= cap_bytes - used)
            return -1;
        memcpy(out + used, parts[i], len + 1);
        used += len;
    }
    return 0;
}
