#include "client/base/groupversion.h"

#include <stdio.h>
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
    const int n = *group ? snprintf(out, cap_bytes, "apis/%s/%s", group, version)
                         : snprintf(out, cap_bytes, "api/%s", version);
    return n > 0 && (size_t)n < cap_bytes ? 0 : -1;
}
