#include "controller/findings/suppress.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

static const char separators[] = ", \t\r\n";

/* Words that stand for several findings, where they are selected. */
static const char all_but_advice[] = "default", all_advice[] = "advice";

static const char *annotation(struct json_object *object, const char *name)
{
    return jsonval_string_or_empty(jsonval_get(jsonval_get(object, "metadata"), "annotations"), name);
}

bool suppress_is_skipped(struct json_object *object)
{
    return strcmp(annotation(object, SUPPRESS_SKIP), "true") == 0;
}

bool suppress_has_ignored(struct json_object *object)
{
    return *annotation(object, SUPPRESS_IGNORE) != '\0';
}

struct finding_set suppress_ignored(struct json_object *object, struct err *err)
{
    struct finding_set set = {0};
    const char *list = annotation(object, SUPPRESS_IGNORE);
    if (*list != '\0')
        suppress_read(list, &set, err);
    return set;
}

static int refuse_unknown(const char *word, bool is_selection, struct err *err)
{
    struct suggest near;
    suggest_init(&near, word);
    for (size_t i = 0; i < FINDING_COUNT; i++)
        suggest_offer(&near, finding_pages[i].id);
    if (is_selection) {
        suggest_offer(&near, all_but_advice);
        suggest_offer(&near, all_advice);
    }
    return near.best == NULL
               ? err_set(err, ERR_INVALID, "\"%s\" is no finding", word)
               : err_set(err, ERR_INVALID, "\"%s\" is no finding, did you mean %s?", word, near.best);
}

static void add_severity(struct finding_set *set, bool is_advice)
{
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        if ((finding_pages[i].severity == FINDING_ADVICE) == is_advice)
            finding_set_add(set, (enum finding_id)i);
    }
}

static int read_word(const char *word, bool is_selection, struct finding_set *set, struct err *err)
{
    const enum finding_id id = finding_of_name(word);
    if (is_selection && (strcmp(word, all_but_advice) == 0 || strcmp(word, all_advice) == 0)) {
        add_severity(set, strcmp(word, all_advice) == 0);
        return 0;
    }
    if (id == FINDING_COUNT)
        return refuse_unknown(word, is_selection, err);
    if (!is_selection && finding_is_always_reported(id))
        return err_set(err, ERR_INVALID, "%s cannot be ignored: it is always reported", word);
    finding_set_add(set, id);
    return 0;
}

static int read_list(const char *list, bool is_selection, struct finding_set *set, struct err *err)
{
    struct err *first = err; /* where the first error goes; NULL after it */
    size_t count = 0;
    for (const char *at = list + strspn(list, separators); *at != '\0'; at += strspn(at, separators)) {
        const size_t len = strcspn(at, separators);
        cleanup_mem char *word = mem_strndup(at, len);
        if (read_word(word, is_selection, set, first) != 0)
            first = NULL;
        at += len;
        count++;
    }
    if (count == 0)
        return err_set(err, ERR_INVALID,
                       "no finding is named: write identifiers, as in undefined-field,never-equal");
    return first == NULL ? -1 : 0;
}

int suppress_read(const char *list, struct finding_set *set, struct err *err)
{
    return read_list(list, false, set, err);
}

int suppress_read_selected(const char *list, struct finding_set *set, struct err *err)
{
    return read_list(list, true, set, err);
}
