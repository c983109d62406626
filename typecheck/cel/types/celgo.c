#include "typecheck/cel/types/celgo.h"

#include <limits.h>
#include <stddef.h>

/* Bounds of features.def: from the oldest release on; to the newest, and those after it. */
enum { FIRST = 0, NOW = INT_MAX };

/* The release of cel-go in each release of Kubernetes. The newest comes last. */
static const struct {
    int kubernetes, cel_go;
} VERSIONS[] = {
#define VERSION(kubernetes, cel_go) {kubernetes, cel_go},
#include "typecheck/cel/types/features.def"
};

enum { VERSION_COUNT = sizeof VERSIONS / sizeof *VERSIONS };
_Static_assert(VERSION_COUNT == FEATURES_NEWEST_KUBERNETES - FEATURES_OLDEST_KUBERNETES + 1,
               "each version has a row in features.def");

struct celgo celgo_of(int release)
{
    return (struct celgo){
        .release = release,
#define KUBERNETES_FLAG(name, first, last)
#define CEL_GO_FLAG(name, first, last)         .name = release >= (first) && release <= (last),
#define FEATURE(name, of, first, last, reason) of##_FLAG(name, first, last)
#include "typecheck/cel/types/features.def"
    };
}

enum unicode_edition celgo_unicode(const struct celgo *c)
{
    return c->has_unicode_17 ? UNICODE_17 : UNICODE_15;
}

struct celgo celgo_in(int minor)
{
    int release = VERSIONS[0].cel_go;
    for (size_t i = 0; i < VERSION_COUNT && VERSIONS[i].kubernetes <= minor; i++)
        release = VERSIONS[i].cel_go;
    return celgo_of(release);
}
