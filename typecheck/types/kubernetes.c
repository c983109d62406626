#include "typecheck/types/kubernetes.h"

#include <limits.h>

#include "typecheck/types/features.def"

/* Of features.def: from the oldest release on; to the newest, and those after it. */
enum { FIRST = 0, NOW = INT_MAX };

struct kubernetes kubernetes_in(int minor)
{
    const int release = minor == 0 ? FEATURES_NEWEST_RELEASED_KUBERNETES : minor;
    return (struct kubernetes){
#define KUBERNETES_FLAG(name, first, last) .name = release >= (first) && release <= (last),
#define CEL_GO_FLAG(name, first, last)
#define FEATURE(name, of, first, last, reason) of##_FLAG(name, first, last)
#include "typecheck/types/features.def"
    };
}
