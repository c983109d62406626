#include "cmd/kubectl-vapcheck/output/finding_subject.h"

#include <inttypes.h>
#include <json-c/json.h>

#include "bytes/hash.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/issues.h"

/* A hash stands for a longer value; its keys are constants: each run and each machine makes the same. */
enum { VALUE_MAX_BYTES = 200 };
static const uint64_t keys[2] = {UINT64_C(0x7661706368656b73), UINT64_C(0x7562)};

char *finding_subject_of_issue(const struct check_issue *issue, struct str expression)
{
    const struct issue_about about = issue_about_read(issue->about);
    if (about.name.len + about.given.len > 0)
        return mem_printf("%.*s%s%.*s", (int)about.name.len, about.name.at,
                          about.name.len > 0 && about.given.len > 0 ? " " : "", (int)about.given.len,
                          about.given.at);
    if (issue->at.begin > issue->at.end || issue->at.end > expression.len) /* it has no place */
        return mem_strdup("");
    return mem_strndup(expression.at + issue->at.begin, issue->at.end - issue->at.begin);
}

char *finding_subject_of_field(const struct output_place *place, const char *field)
{
    const struct yaml_node *node = *field == '\0' ? NULL : output_find_node(place, field);
    if (node == NULL)
        return mem_strdup("");
    size_t len = (size_t)json_object_get_string_len(node->json);
    const char *text = jsonval_text(node->json);
    if (text == NULL)
        text = json_object_to_json_string_length(node->json, JSON_C_TO_STRING_PLAIN, &len);
    return len <= VALUE_MAX_BYTES ? mem_strndup(text, len)
                                  : mem_printf("%016" PRIx64, hash_with_key(keys, text, len));
}
