#include "controller/findings/kubeversion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/text/jsonval.h"

/* The number that the text begins with, up to three digits; -1 for none. */
static int leading_number(const char *text)
{
    int number = 0, digits = 0;
    for (; digits < 3 && isdigit((unsigned char)text[digits]); digits++)
        number = 10 * number + (text[digits] - '0');
    return digits == 0 ? -1 : number;
}

int kubeversion_cel_go(const char *text)
{
    text += *text == 'v';
    const int release = strncmp(text, "0.", 2) == 0 ? leading_number(text + 2) : -1;
    if (release < CELGO_OLDEST || release > CELGO_NEWEST)
        return -1;
    const char *patch = text + strlen("0.17");
    if (*patch == '\0')
        return release;
    const size_t digits = *patch == '.' ? strspn(patch + 1, "0123456789") : 0;
    return digits > 0 && patch[1 + digits] == '\0' ? release : -1;
}

/* The minor version in "v1.33.2-vendor". */
static int git_minor(const char *git)
{
    return strncmp(git, "v1.", 3) == 0 ? leading_number(git + 3) : -1;
}

int kubeversion_parse(const char *bytes, size_t len, struct kubeversion *out, struct err *err)
{
    cleanup_json struct json_object *json = NULL;
    if (jsonval_parse(bytes, len, &json, err) != 0)
        return err_prefix(err, "/version");
    const char *major = jsonval_string_or_empty(json, "major");
    const char *git = jsonval_string_or_empty(json, "gitVersion");
    int minor = strcmp(major, "1") == 0 ? leading_number(jsonval_string_or_empty(json, "minor")) : -1;
    if (minor < 0)
        minor = git_minor(git);
    if (minor < 0)
        return err_set(err, ERR_PROTOCOL,
                       "/version names no Kubernetes 1.x (major '%.32s', gitVersion '%.64s')", major, git);
    int oldest = leading_number(jsonval_string_or_empty(json, "minCompatibilityMinor"));
    *out = (struct kubeversion){.minor = minor, .oldest_minor = oldest >= 0 ? oldest : minor - 1};
    snprintf(out->git, sizeof out->git, "%s", git);
    return 0;
}
