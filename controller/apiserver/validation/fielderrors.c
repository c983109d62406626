#include "controller/apiserver/validation/fielderrors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "typecheck/text.h"

__attribute__((format(printf, 3, 0))) static void add(struct fielderrors *errors, char *message,
                                                      const char *format, va_list args)
{
    char field[4096];
    vsnprintf(field, sizeof field, format, args);
    errors->items = mem_grow(errors->items, errors->count, sizeof *errors->items);
    errors->items[errors->count++] =
        (struct fielderror){.field = mem_strdup(field), .message = message, .len = strlen(message)};
}

void fielderrors_add(struct fielderrors *errors, char *message, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(errors, message, format, args);
    va_end(args);
}

void fielderrors_detail(struct fielderrors *errors, struct str detail)
{
    struct fielderror *e = &errors->items[errors->count - 1];
    struct buf b;
    buf_init(&b, FIELDERRORS_VALUE_CAP_BYTES);
    buf_printf(&b, "%s: ", e->message);
    e->detail = b.len;
    buf_append(&b, detail.at, detail.len);
    mem_free(e->message);
    e->message = buf_take(&b, &e->len);
}

void fielderrors_issues(struct fielderrors *errors, const struct compile_problem *problem)
{
    struct fielderror *e = &errors->items[errors->count - 1];
    size_t len = issue_about_bytes(problem->result);
    if (problem->issue_count == 0 && problem->result == NULL)
        return;
    for (size_t i = 0; i < problem->issue_count; i++)
        len += problem->issues[i].message.len + 1 + issue_about_bytes(problem->issues[i].about);
    char *at = e->texts = mem_zalloc(len);
    e->n_issues = problem->issue_count;
    e->issues = mem_array(e->n_issues, sizeof *e->issues);
    for (size_t i = 0; i < e->n_issues; i++) {
        const struct str message = problem->issues[i].message;
        e->issues[i] = problem->issues[i];
        e->issues[i].message = (struct str){at, message.len};
        if (message.len > 0)
            memcpy(at, message.at, message.len);
        at += message.len + 1;
        e->issues[i].about = issue_about_put(problem->issues[i].about, &at);
    }
    e->result = issue_about_put(problem->result, &at);
}

/* Servers before 1.32 say what a place's type must be, and not what it is. */
void fielderrors_compiled(struct fielderrors *errors, const struct compile_problem *problem)
{
    struct str detail = problem->text;
    if (!fielderrors_server(errors).names_types)
        detail.len = problem->brief_len;
    fielderrors_detail(errors, detail);
    fielderrors_issues(errors, problem);
}

void fielderrors_add_compiled(struct fielderrors *errors, const struct compile_problem *problem,
                              struct str text, const char *field)
{
    fielderrors_add(errors,
                    problem->is_internal ? fielderrors_internal("")
                                         : fielderrors_invalid_bytes(text.at, text.len, ""),
                    "%s", field);
    fielderrors_compiled(errors, problem);
}

void fielderrors_hint(struct fielderrors *errors, char *hint)
{
    errors->items[errors->count - 1].hint = hint;
}

void fielderrors_say(struct fielderrors *errors, char *saying)
{
    errors->items[errors->count - 1].saying = saying;
}

void fielderrors_follow(struct fielderrors *errors)
{
    errors->items[errors->count - 1].follows = true;
}

const char **fielderrors_hints(const struct fielderrors *errors)
{
    const char **hints = mem_array(errors->count + 1, sizeof *hints);
    for (size_t i = 0; i < errors->count; i++)
        hints[i] = errors->items[i].hint;
    return hints;
}

void fielderrors_take(struct fielderrors *to, struct fielderrors *from)
{
    for (size_t i = 0; i < from->count; i++) {
        to->items = mem_grow(to->items, to->count, sizeof *to->items);
        to->items[to->count++] = from->items[i];
    }
    mem_free(from->items);
    *from = (struct fielderrors){0};
}

static char *key_of(const struct fielderror *e)
{
    return mem_printf("%s\n%s", e->field, e->message);
}

void fielderrors_take_new(struct fielderrors *to, struct fielderrors *from)
{
    struct keymap known = {0};
    struct fielderrors fresh = {0};
    for (size_t i = 0; i < to->count; i++) {
        cleanup_mem char *key = key_of(&to->items[i]);
        (void)keymap_add(&known, key);
    }
    for (size_t i = 0; i < from->count; i++) {
        cleanup_mem char *key = key_of(&from->items[i]);
        if (keymap_get(&known, key) != NULL)
            continue;
        fresh.items = mem_grow(fresh.items, fresh.count, sizeof *fresh.items);
        fresh.items[fresh.count++] = from->items[i];
        from->items[i] = (struct fielderror){0};
    }
    keymap_deinit(&known, NULL);
    to->is_limited = to->is_limited || from->is_limited;
    fielderrors_deinit(from);
    *from = (struct fielderrors){0};
    fielderrors_take(to, &fresh);
}

void fielderrors_free_one(struct fielderror *e)
{
    mem_free(e->field);
    mem_free(e->message);
    mem_free(e->hint);
    mem_free(e->saying);
    mem_free(e->issues);
    mem_free(e->texts);
}

void fielderrors_deinit(struct fielderrors *errors)
{
    for (size_t i = 0; i < errors->count; i++)
        fielderrors_free_one(&errors->items[i]);
    mem_free(errors->items);
}

static char *finish(struct buf *b, const char *detail)
{
    if (*detail != '\0')
        buf_printf(b, ": %s", detail);
    return buf_take(b, NULL);
}

static char *plain(const char *kind, const char *detail)
{
    struct buf b;
    buf_init(&b, FIELDERRORS_VALUE_CAP_BYTES);
    buf_puts(&b, kind);
    return finish(&b, detail);
}

char *fielderrors_required(const char *detail)
{
    return plain("Required value", detail);
}

char *fielderrors_forbidden(const char *detail)
{
    return plain("Forbidden", detail);
}

char *fielderrors_internal(const char *detail)
{
    return plain("Internal error", detail);
}

/* kind: VALUE: detail, with a string's value as %q writes it. */
static char *with_string(const char *kind, const char *value, size_t len, const char *detail)
{
    struct buf b;
    buf_init(&b, FIELDERRORS_VALUE_CAP_BYTES);
    buf_printf(&b, "%s: ", kind);
    gotext_put_quoted(&b, value, len);
    return finish(&b, detail);
}

/* Members of structs that are pointers; the others of the same name are strings. */
static const struct {
    const char *member, *go;
} pointers[] = {
    {"Reason", "apiextensions.FieldValueErrorReason"},
    {"OptionalOldSelf", "bool"},
};

/* Writes a member that is a pointer in Go, and returns true; returns false for other members. The pointer's
 * value is an address in the server's memory, which nobody can foresee. */
static bool put_pointer(struct buf *b, const char *member, bool is_nil)
{
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        if (strcmp(pointers[i].member, member) != 0)
            continue;
        buf_printf(b, "(*%s)(%s)", pointers[i].go, is_nil ? "nil" : "0x...");
        return true;
    }
    return false;
}

/* %#v: a string, a number, a list of strings, structs whose members are strings or nil. */
static void put_go(struct buf *b, struct json_object *value, const char *go)
{
    if (json_object_is_type(value, json_type_array)) {
        buf_printf(b, "[]%s{", go);
        for (size_t i = 0; i < jsonval_length(value); i++) {
            buf_puts(b, i == 0 ? "" : ", ");
            put_go(b, jsonval_at(value, i), go);
        }
        buf_putc(b, '}');
    } else if (json_object_is_type(value, json_type_object)) {
        const char *separator = "{";
        buf_puts(b, go);
        jsonval_each(value, key, member)
        {
            buf_printf(b, "%s%s:", separator, key);
            if (!put_pointer(b, key, member == NULL))
                put_go(b, member, go);
            separator = ", ";
        }
        buf_putc(b, '}');
    } else if (json_object_is_type(value, json_type_string)) {
        gotext_put_quoted(b, json_object_get_string(value), (size_t)json_object_get_string_len(value));
    } else {
        gotext_put_json(b, value);
    }
}

static void put_value(const struct fielderrors *errors, struct buf *b, struct json_object *value,
                      const char *go)
{
    bool is_go = !fielderrors_server(errors).shows_json;
    if (is_go && value == NULL)
        buf_puts(b, "\"null\"");
    else if (is_go)
        put_go(b, value, go);
    else
        gotext_put_json(b, value);
}

static char *with_json(const struct fielderrors *errors, const char *kind, struct json_object *value,
                       const char *go, const char *detail)
{
    struct buf b;
    buf_init(&b, FIELDERRORS_VALUE_CAP_BYTES);
    buf_printf(&b, "%s: ", kind);
    put_value(errors, &b, value, go);
    return finish(&b, detail);
}

char *fielderrors_invalid(const char *value, const char *detail)
{
    return with_string("Invalid value", value, strlen(value), detail);
}

char *fielderrors_invalid_bytes(const char *value, size_t len, const char *detail)
{
    return with_string("Invalid value", value, len, detail);
}

char *fielderrors_invalid_json(const struct fielderrors *errors, struct json_object *value, const char *go,
                               const char *detail)
{
    return with_json(errors, "Invalid value", value, go, detail);
}

char *fielderrors_duplicate(const char *value)
{
    return with_string("Duplicate value", value, strlen(value), "");
}

char *fielderrors_duplicate_json(const struct fielderrors *errors, struct json_object *value)
{
    return with_json(errors, "Duplicate value", value, "", "");
}

char *fielderrors_unsupported(const struct fielderrors *errors, struct json_object *value,
                              const char *const *supported)
{
    struct buf b;
    buf_init(&b, FIELDERRORS_VALUE_CAP_BYTES);
    buf_puts(&b, "Unsupported value: ");
    put_value(errors, &b, value, "");
    for (size_t i = 0; supported[i] != NULL; i++) {
        buf_puts(&b, i == 0 ? ": supported values: " : ", ");
        gotext_put_quoted(&b, supported[i], strlen(supported[i]));
    }
    return finish(&b, "");
}

bool fielderrors_is_choice(const char *text, const char *const *choices)
{
    while (*choices != NULL && strcmp(*choices, text) != 0)
        choices++;
    return *choices != NULL;
}

/* "did you mean "Ignore"?" of "ignore"; NULL if no choice is near. */
static char *hint_of_choices(const char *text, const char *const *choices)
{
    struct suggest near;
    suggest_init(&near, text);
    for (; *choices != NULL; choices++)
        suggest_offer(&near, *choices);
    return near.best == NULL ? NULL : mem_printf("did you mean \"%s\"?", near.best);
}

void fielderrors_check_choice(struct fielderrors *errors, const char *text, const char *const *choices,
                              const char *format, ...)
{
    va_list args;
    if (text == NULL || fielderrors_is_choice(text, choices))
        return;
    cleanup_json struct json_object *value = json_object_new_string(text);
    va_start(args, format);
    add(errors, fielderrors_unsupported(errors, value, choices), format, args);
    va_end(args);
    fielderrors_hint(errors, hint_of_choices(text, choices));
}

char *fielderrors_too_many(size_t count, size_t most)
{
    return mem_printf("Too many: %zu: must have at most %zu item%s", count, most, most == 1 ? "" : "s");
}

char *fielderrors_brief(const struct fielderror *error)
{
    const char *text = error->n_issues == 0 ? error->message : error->issues[0].message.at;
    return mem_strndup(text, strcspn(text, "\n"));
}
