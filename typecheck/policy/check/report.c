#include "typecheck/policy/check/report.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/typecheck_result.h"

/* Odd numbers with no pattern in their bits. */
#define DIGEST_FIRST  0xCBF29CE484222325u
#define DIGEST_PRIME  0x9E3779B97F4A7C15u
#define DIGEST_SECOND 0xBF58476D1CE4E5B9u

/* The longest line that names further types, in bytes. */
#define NAMES_MAX_BYTES 1024u

const struct report_limits report_limits_full = {(size_t)16 * 1024, (size_t)256 * 1024, 10};

/* A parameter decides which types are meant, so only the first type is reported. */
const struct report_limits report_limits_by_params = {(size_t)16 * 1024, (size_t)256 * 1024, 1};

/* The largest request to an API server, in bytes. Upstream writes all that it found, and so does its scope; a
 * report that the server refuses as too large must be shortened by the code that writes it. */
#define REQUEST_MAX_BYTES ((size_t)3 * 1024 * 1024)

const struct report_limits report_limits_upstream = {REQUEST_MAX_BYTES, REQUEST_MAX_BYTES, SIZE_MAX};

void report_init(struct report *r, struct arena *a, struct arena *scratch, const struct report_limits *limits,
                 size_t expressions)
{
    *r = (struct report){.arena = a, .scratch = scratch, .limits = limits};
    r->entries = ARENA_ARRAY(a, expressions, struct report_entry);
    r->count = expressions;
    for (size_t i = 0; i < expressions; i++)
        r->entries[i].text.arena = a;
}

/* The issues of a group are not kept: what has their length and both of these is the same. */
static struct report_digest digest_of(struct arena *payer, struct str issues)
{
    struct report_digest d = {issues.len, DIGEST_FIRST, DIGEST_SECOND};
    uint64_t word;
    arena_pay(payer, 1 + issues.len / ARENA_STEP_BYTES);
    for (size_t i = 0; i < issues.len; i += sizeof word) {
        size_t left = issues.len - i;
        word = 0;
        memcpy(&word, issues.at + i, left < sizeof word ? left : sizeof word);
        d.first = (d.first ^ word) * DIGEST_PRIME;
        d.first ^= d.first >> 32;
        d.second = (d.second + word) * DIGEST_SECOND;
        d.second ^= d.second >> 29;
    }
    return d;
}

static bool is_same_digest(const struct report_digest *one, const struct report_digest *two)
{
    return one->len == two->len && one->first == two->first && one->second == two->second;
}

static struct report_group *find_group(struct report *r, struct report_entry *e, struct str issues)
{
    struct report_group **end = &e->groups;
    struct report_digest digest = {.len = 0};
    if (r->limits->equal_blocks !=
        SIZE_MAX) /* else each has a block of its own, and the digest is not used */
        digest = digest_of(r->arena, issues);
    unsigned looks = 0;
    for (; *end != NULL; end = &(*end)->next) {
        if (++looks % ARENA_LOOKS_PER_STEP == 0)
            arena_step(r->arena);
        if (is_same_digest(&(*end)->digest, &digest))
            return *end;
    }
    struct report_group *made = ARENA_NEW(r->arena, struct report_group);
    made->digest = digest;
    made->names.arena = r->arena;
    *end = made;
    return made;
}

static size_t room(const struct report *r, const struct report_entry *e)
{
    size_t entry = e->text.len < r->limits->entry_bytes ? r->limits->entry_bytes - e->text.len : 0;
    size_t total = r->used_bytes < r->limits->total_bytes ? r->limits->total_bytes - r->used_bytes : 0;
    return entry < total ? entry : total;
}

static void append(struct report *r, struct report_entry *e, struct str s)
{
    text_add(&e->text, s);
    r->used_bytes += s.len;
}

/* The lines of `block` that fit into `bytes`, and a line that says that there is more. */
static struct str shorten(struct report *r, struct str block, size_t bytes)
{
    static const struct str note = STR_INIT("(more was left out)\n");
    if (bytes <= note.len)
        return note; /* past the bound: an API server refuses a status in which one warning is empty */
    size_t len = bytes - note.len - 1;
    while (len > 0 && block.at[len - 1] != '\n')
        len--;
    return str_join(r->scratch, STR_PARTS(((struct str){block.at, len}), note));
}

/* It shows `shown` issues. */
static void add_block(struct report *r, struct report_entry *e, struct str block, size_t shown)
{
    size_t separator = e->text.len != 0;
    size_t left = room(r, e);
    if (block.len + separator > left) {
        r->left_out++;
        if (e->blocks++ != 0)
            return;
        append(r, e, shorten(r, block, left)); /* a warning without any text would say nothing */
        e->shown += shown;
        return;
    }
    e->blocks++;
    e->shown += shown;
    if (separator)
        append(r, e, STR("\n"));
    append(r, e, block);
}

/* Both in the report's memory. */
static void copy_texts(struct report *r, struct typecheck_issue *issue)
{
    issue->message = str_copy(r->arena, issue->message);
    issue->about = issue_about_copy(r->arena, issue->about);
}

static bool is_same_issue(const struct typecheck_issue *one, const struct typecheck_issue *two)
{
    return one->line == two->line && one->column == two->column && one->is_unequal == two->is_unequal &&
           str_eq(one->message, two->message);
}

static const struct hint_change *copy_change(struct arena *a, const struct hint_change *change)
{
    if (change == NULL)
        return NULL;
    struct hint_change *copy = ARENA_NEW(a, struct hint_change);
    *copy = (struct hint_change){change->sort, str_copy(a, change->from), str_copy(a, change->to)};
    return copy;
}

/* The type has the issue, too. */
static void add_type(struct report *r, struct typecheck_issue *issue, size_t type)
{
    union {
        const uint32_t *shown;
        uint32_t *owned;
    } types = {.shown = issue->types};
    size_t cap = issue->type_cap;
    if (issue->type_count > 0 && issue->types[issue->type_count - 1] == type)
        return;
    ARENA_ROOM(r->arena, types.owned, issue->type_count, cap, 1);
    types.owned[issue->type_count++] = (uint32_t)type;
    issue->types = types.shown;
    issue->type_cap = (uint32_t)cap;
}

/* Returns the index of the issue in the entry; REPORT_ISSUES_MAX: there is no room for it. */
static size_t list_issue(struct report *r, struct report_entry *e, const struct typecheck_issue *issue)
{
    arena_pay(r->arena, 1 + e->issue_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < e->issue_count; i++) {
        if (!is_same_issue(&e->issues[i], issue))
            continue;
        if (e->issues[i].change == NULL)
            e->issues[i].change = copy_change(r->arena, issue->change);
        return i;
    }
    if (e->issue_count == REPORT_ISSUES_MAX) {
        e->has_more_issues = true;
        return REPORT_ISSUES_MAX;
    }
    ARENA_ROOM(r->arena, e->issues, e->issue_count, e->issue_cap, 1);
    struct typecheck_issue *kept = &e->issues[e->issue_count++];
    *kept = *issue;
    copy_texts(r, kept);
    kept->types = NULL;
    kept->type_count = kept->type_cap = 0;
    kept->change = copy_change(r->arena, issue->change);
    return e->issue_count - 1;
}

/* Types of a group have the same texts; what goes on for the one may fail for the other. */
static void list_issues(struct report *r, struct report_entry *e, struct report_group *group,
                        const struct report_block *block, size_t type)
{
    uint64_t unequal = 0;
    for (size_t i = 0; i < block->count; i++)
        unequal |= (uint64_t)block->list[i].is_unequal << i % 64;
    if (group->shown > 0 && unequal == group->unequal) {
        arena_pay(r->arena, group->member_count / ARENA_LOOKS_PER_STEP);
        for (size_t i = 0; i < group->member_count; i++)
            add_type(r, &e->issues[group->members[i]], type);
        return;
    }
    group->unequal = unequal;
    group->member_count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const size_t at = list_issue(r, e, &block->list[i]);
        if (at == REPORT_ISSUES_MAX)
            continue;
        add_type(r, &e->issues[at], type);
        ARENA_ROOM(r->arena, group->members, group->member_count, group->member_cap, 1);
        group->members[group->member_count++] = (uint32_t)at;
    }
    e->has_more_issues = e->has_more_issues || block->is_cut;
}

struct report_block report_keep_block(struct arena *a, const struct report_block *block)
{
    struct typecheck_issue *list = ARENA_ARRAY(a, block->count, struct typecheck_issue);
    struct report_block kept = *block;
    kept.issues = str_copy(a, block->issues);
    kept.hint = str_copy(a, block->hint);
    kept.list = list;
    kept.first = (struct typecheck_issue){.line = block->first.line};
    for (size_t i = 0; i < block->count; i++) {
        list[i] = block->list[i];
        list[i].message = str_copy(a, block->list[i].message);
        list[i].about = NULL;
        list[i].change = NULL;
    }
    return kept;
}

size_t report_block_bytes(const struct report_block *block)
{
    size_t bytes = sizeof *block + block->issues.len + block->hint.len;
    for (size_t i = 0; i < block->count; i++)
        bytes += sizeof block->list[i] + block->list[i].message.len;
    return bytes;
}

void report_add(struct report *r, size_t expression, const struct policy_type *type, size_t type_index,
                struct report_block block)
{
    struct report_entry *e = &r->entries[expression];
    if (e->groups == NULL) {
        e->first = block.first;
        copy_texts(r, &e->first);
        e->first.change = NULL;
        e->first.first_type = type_index;
        e->hint = str_copy(r->arena, block.hint);
        e->is_hint_of_pods = block.is_hint_of_pods;
    } else if ((e->is_hint_of_pods || block.is_hint_of_pods) && !str_eq(block.hint, e->hint)) {
        e->hint = STR("");
    }
    e->failing++;
    struct report_group *group = find_group(r, e, block.issues);
    list_issues(r, e, group, &block, type_index);
    struct str version = str_join(r->scratch, STR_PARTS(type->group, STR("/"), type->version));
    if (group->shown < r->limits->equal_blocks) {
        group->shown++;
        add_block(r, e,
                  str_join(r->scratch, STR_PARTS(version, STR(", Kind="), type->kind, STR(": "), block.issues,
                                                 STR("\n"))),
                  block.shown);
        return;
    }
    group->more++;
    if (group->names.len < NAMES_MAX_BYTES)
        text_addf(&group->names, "%s%.*s %.*s", group->names.len == 0 ? "" : ", ", STR_ARG(version),
                  STR_ARG(type->kind));
}

static void add_more(struct report *r, struct report_entry *e, struct report_group *group)
{
    struct text line = {.arena = r->arena};
    text_addf(&line, "and %zu more types with the same issues: ", group->more);
    size_t names = NAMES_MAX_BYTES - line.len - sizeof " ...\n";
    if (group->names.len <= names) {
        text_add(&line, text_str(&group->names));
    } else {
        while (names > 0 && group->names.at[names - 1] != ',')
            names--;
        text_add(&line, (struct str){group->names.at, names});
        text_add(&line, STR(" ..."));
    }
    text_add_char(&line, '\n');
    if (line.len + 1 <= room(r, e)) {
        append(r, e, STR("\n"));
        append(r, e, text_str(&line));
    } else {
        r->left_out += group->more;
    }
}

void report_finish(struct report *r, size_t types)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->entries[i].is_hint_of_pods && r->entries[i].failing < types)
            r->entries[i].hint = STR("");
        for (struct report_group *g = r->entries[i].groups; g != NULL; g = g->next) {
            if (g->more > 0)
                add_more(r, &r->entries[i], g);
        }
    }
}
