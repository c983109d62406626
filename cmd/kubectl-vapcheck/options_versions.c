#include "cmd/kubectl-vapcheck/options_versions.h"

#include <string.h>

#include "client/base/buf.h"
#include "typecheck/version.h"

/* Returns true if the text is empty, or a vendor's suffix of a version: "+k3s1", "-gke.100". */
static bool is_suffix(const char *text, size_t len)
{
    static const char allowed[] = ".+-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return len == 0 || (len > 1 && (*text == '+' || *text == '-') && strspn(text, allowed) >= len);
}

/* Returns true if "1.36", a patch of it ("1.36.2") or a vendor's ("1.36.2+k3s1") is this version. */
static bool is_version(const char *text, size_t len, const char *version)
{
    size_t at = 0;
    while (at < len && version[at] != '\0' && text[at] == version[at])
        at++;
    if (version[at] != '\0')
        return false;
    if (at < len && text[at] == '.') {
        const size_t digits = strspn(text + at + 1, "0123456789");
        if (digits == 0 || at + 1 + digits > len)
            return false;
        at += 1 + digits;
    }
    return is_suffix(text + at, len - at);
}

/* Returns true if the text begins as a version does, "1.3" or "v1.3"; a vendor's suffix, "-gke.100", does
 * not. */
static bool begins_version(const char *text)
{
    static const char digits[] = "0123456789";
    text += *text == 'v';
    const size_t major = strspn(text, digits);
    return major > 0 && text[major] == '.' && strspn(text + major + 1, digits) > 0;
}

/* The length of the first version of a range, up to the '-' before another version; len: the text is not a
 * range. */
static size_t first_of_range(const char *text, size_t len)
{
    size_t i = 0;
    while (i < len && !(text[i] == '-' && begins_version(text + i + 1)))
        i++;
    return i;
}

/* The index in bundles of a version, with or without a "v"; bundles_count: there is none, or the text is a
 * range. */
static size_t find_version(const char *text, size_t len)
{
    const size_t skip = len > 0 && *text == 'v';
    size_t i = first_of_range(text, len) == len ? 0 : bundles_count;
    while (i < bundles_count && !is_version(text + skip, len - skip, bundles[i].kube_version))
        i++;
    return i;
}

static int refuse_version(const char *text, struct err *err)
{
    cleanup_buf struct buf versions;
    buf_init(&versions, ERR_MSG_BYTES);
    for (size_t i = 0; i < bundles_count; i++)
        buf_printf(&versions, " %s", bundles[i].kube_version);
    return err_set(err, ERR_INVALID, "the program has no schemas of \"%s\"; it has those of:%s", text,
                   versions.data);
}

/* Adds "1.36" or "1.30-1.37". */
static int add_range(uint32_t *versions, const char *text, size_t len, const char *all, struct err *err)
{
    const size_t dash = first_of_range(text, len);
    const size_t first = find_version(text, dash);
    const size_t last = dash == len ? first : find_version(text + dash + 1, len - dash - 1);
    if (first == bundles_count || last == bundles_count)
        return refuse_version(all, err);
    if (first > last)
        return err_set(err, ERR_INVALID, "\"%.*s\" ends before it begins", (int)len, text);
    for (size_t i = first; i <= last; i++)
        *versions |= UINT32_C(1) << i;
    return 0;
}

int options_versions_read(const char *text, uint32_t *versions, struct err *err)
{
    for (const char *at = text;; at++) {
        const size_t len = strcspn(at, ",");
        if (add_range(versions, at, len, text, err) != 0)
            return -1;
        at += len;
        if (*at == '\0')
            return 0;
    }
}

bool options_versions_is_beta(const struct bundle *bundle)
{
    return bundle_minor(bundle) > FEATURES_NEWEST_RELEASED_KUBERNETES;
}

bool options_versions_has_beta(uint32_t versions)
{
    bool has_beta = false;
    for (size_t i = 0; i < bundles_count; i++)
        has_beta = has_beta || ((versions >> i & 1) != 0 && options_versions_is_beta(&bundles[i]));
    return has_beta;
}

const struct bundle *options_versions_default(void)
{
    size_t i = bundles_count - 1;
    while (i > 0 && options_versions_is_beta(&bundles[i]))
        i--;
    return &bundles[i];
}

const struct bundle *options_versions_oldest(uint32_t versions)
{
    size_t first = 0;
    while ((versions >> first & 1) == 0)
        first++;
    return &bundles[first];
}

const struct bundle *options_versions_find(const char *text, struct err *err)
{
    const size_t i = find_version(text, strlen(text));
    if (i < bundles_count)
        return &bundles[i];
    (void)refuse_version(text, err);
    return NULL;
}

size_t options_versions_count(uint32_t versions)
{
    size_t count = 0;
    for (; versions != 0; versions &= versions - 1)
        count++;
    return count;
}
