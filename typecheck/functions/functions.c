#include "typecheck/functions/functions.h"

#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/functions/arithmetic.h"
#include "typecheck/functions/collections.h"
#include "typecheck/functions/conversions.h"
#include "typecheck/functions/lists.h"
#include "typecheck/functions/optionals.h"
#include "typecheck/functions/regexps.h"
#include "typecheck/functions/string_format.h"
#include "typecheck/functions/strings.h"
#include "typecheck/types/celgo.h"
#include "typecheck/values/addresses.h"
#include "typecheck/values/authorizations.h"
#include "typecheck/values/equality.h"
#include "typecheck/values/formats.h"
#include "typecheck/values/quantities.h"
#include "typecheck/values/semvers.h"
#include "typecheck/values/times.h"
#include "typecheck/values/urls.h"

static const struct value *logical_not(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_BOOL ? value_bool(!c->args[0]->boolean) : value_no_overload(c->arena);
}

static const struct value *not_strictly_false(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_BOOL ? c->args[0] : &value_true;
}

/* ---- comparisons ---- */

static const struct value *less(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order < 0);
}

static const struct value *less_equals(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order <= 0);
}

static const struct value *greater(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order > 0);
}

static const struct value *greater_equals(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order >= 0);
}

/* ---- the table ---- */

#define K(kind) VALUE_KIND(VALUE_##kind)

/* What cel-go calls traits: the types that take part. */
#define NUMBERS  (K(INT) | K(UINT) | K(DOUBLE))
#define TIMES    (K(DURATION) | K(TIMESTAMP))
#define TEXTS    (K(STRING) | K(BYTES))
#define ADDERS   (NUMBERS | TIMES | TEXTS | K(LIST))
#define ORDERED  (NUMBERS | TIMES | TEXTS | K(BOOL))
#define NEGATORS (K(BOOL) | K(INT) | K(DOUBLE) | K(DURATION))
#define SIZED    (TEXTS | K(LIST) | K(MAP))

/* clang-format off */
#define WHOLE(function, call, kinds)           {STR_INIT(function), STR_INIT(""), call, NULL, kinds, FUNCTION_OF_ARITY, false}
#define ONE(function, overload, call)          {STR_INIT(function), STR_INIT(overload), call, NULL, 0, FUNCTION_OF_ARITY, false}
#define PRICED(function, overload, call, cost) {STR_INIT(function), STR_INIT(overload), call, cost, 0, FUNCTION_OF_ARITY, false}

/* Overloads of a whole function that have a price of their own. */
#define PRICE(function, overload, cost)        {STR_INIT(function), STR_INIT(overload), NULL, cost, 0, FUNCTION_OF_ARITY, false}
#define COMPARISON(function, id, call) \
    WHOLE(function, call, ORDERED), \
    PRICE(function, id "_string", price_shorter), PRICE(function, id "_bytes", price_shorter)

/* As PRICED, but Kubernetes prices it by its name. */
#define NAMED(function, overload, call, cost)  {STR_INIT(function), STR_INIT(overload), call, cost, 0, FUNCTION_OF_ARITY, true}

#define EXTREME(function, call, type) NAMED(function, "list_" type "_" function "_" type, call, price_walk)
#define EXTREMES(function, call) \
    EXTREME(function, call, "int"), EXTREME(function, call, "uint"), EXTREME(function, call, "double"), \
    EXTREME(function, call, "bool"), EXTREME(function, call, "duration"), EXTREME(function, call, "timestamp"), \
    EXTREME(function, call, "string"), EXTREME(function, call, "bytes")
#define SORTED(type) NAMED("isSorted", "list_" type "_is_sorted_bool", lists_is_sorted, price_walk)
#define SORT(function, id, type, cost) PRICE(function, "list_" type id, cost)
#define SORTS(function, id, cost) \
    SORT(function, id, "int", cost), SORT(function, id, "uint", cost), SORT(function, id, "double", cost), \
    SORT(function, id, "bool", cost), SORT(function, id, "google.protobuf.Duration", cost), \
    SORT(function, id, "google.protobuf.Timestamp", cost), SORT(function, id, "string", cost), \
    SORT(function, id, "bytes", cost)

/* As PRICED, and called in another way. */
#define LISTED(function, overload, call, cost) {STR_INIT(function), STR_INIT(overload), call, cost, 0, FUNCTION_OF_LIST, false}

#define NAMED_FORMAT(name) LISTED("format." name, "format." name, formats_constant, NULL)

#define OF_TIMESTAMP(function, id) \
    ONE(function, "timestamp_to_" id, times_get), ONE(function, "timestamp_to_" id "_with_tz", times_get)

static const struct function_row rows[] = {
    WHOLE("!_",                  logical_not,          0),
    WHOLE("-_",                  arithmetic_negate,    NEGATORS),
    WHOLE("@in",                 collections_in,       0),
    PRICE("@in",                 "in_list",            price_items),
    WHOLE("@not_strictly_false", not_strictly_false,   0),
    WHOLE("_%_",                 arithmetic_modulo,    K(INT) | K(UINT)),
    WHOLE("_*_",                 arithmetic_multiply,  NUMBERS),
    WHOLE("_+_",                 arithmetic_add,       ADDERS),
    PRICE("_+_",                 "add_bytes",          price_both),
    PRICE("_+_",                 "add_string",         price_both),
    WHOLE("_-_",                 arithmetic_subtract,  NUMBERS | TIMES),
    WHOLE("_/_",                 arithmetic_divide,    NUMBERS),
    PRICE("_!=_",                "not_equals",         price_shorter),
    PRICE("_==_",                "equals",             price_shorter),
    COMPARISON("_<=_", "less_equals",    less_equals),
    COMPARISON("_<_",  "less",           less),
    COMPARISON("_>=_", "greater_equals", greater_equals),
    COMPARISON("_>_",  "greater",        greater),

    ONE("bool",         "bool_to_bool",            conversions_same),
    ONE("bool",         "string_to_bool",          conversions_bool),
    ONE("bytes",        "bytes_to_bytes",          conversions_same),
    PRICED("bytes",     "string_to_bytes",         conversions_bytes, price_first),
    WHOLE("contains",   strings_contains,          0),
    PRICE("contains",   "contains_string",         price_search),
    ONE("double",       "double_to_double",        conversions_same),
    ONE("double",       "int64_to_double",         conversions_double),
    ONE("double",       "string_to_double",        conversions_double),
    ONE("double",       "uint64_to_double",        conversions_double),
    ONE("duration",     "duration_to_duration",    conversions_same),
    ONE("duration",     "int64_to_duration",       conversions_duration), /* up to 1.36; it fails */
    ONE("duration",     "string_to_duration",      conversions_duration),
    WHOLE("dyn",        conversions_same,          0),
    WHOLE("endsWith",   strings_ends_with,         0),
    PRICE("endsWith",   "ends_with_string",        price_second),
    ONE("int",          "int64_to_int64",          conversions_same),
    ONE("int",          "double_to_int64",         conversions_int),
    ONE("int",          "duration_to_int64",       conversions_int),
    ONE("int",          "string_to_int64",         conversions_int),
    ONE("int",          "timestamp_to_int64",      conversions_int),
    ONE("int",          "uint64_to_int64",         conversions_int),
    WHOLE("matches",    regexps_matches,           K(STRING)),
    PRICE("matches",    "matches",                 price_match),
    PRICE("matches",    "matches_string",          price_match),
    WHOLE("size",       collections_size,          SIZED),
    WHOLE("startsWith", strings_starts_with,       0),
    PRICE("startsWith", "starts_with_string",      price_second),
    ONE("string",       "string_to_string",        conversions_same),
    ONE("string",       "bool_to_string",          conversions_string),
    PRICED("string",    "bytes_to_string",         conversions_string, price_first),
    ONE("string",       "double_to_string",        conversions_string),
    ONE("string",       "duration_to_string",      conversions_string),
    ONE("string",       "int64_to_string",         conversions_string),
    ONE("string",       "timestamp_to_string",     conversions_string),
    ONE("string",       "uint64_to_string",        conversions_string),
    ONE("timestamp",    "timestamp_to_timestamp",  conversions_same),
    ONE("timestamp",    "int64_to_timestamp",      conversions_timestamp),
    ONE("timestamp",    "string_to_timestamp",     conversions_timestamp),
    WHOLE("type",       conversions_type,          0),
    ONE("uint",         "uint64_to_uint64",        conversions_same),
    ONE("uint",         "double_to_uint64",        conversions_uint),
    ONE("uint",         "int64_to_uint64",         conversions_uint),
    ONE("uint",         "string_to_uint64",        conversions_uint),

    OF_TIMESTAMP("getDate",         "day_of_month_1_based"),
    OF_TIMESTAMP("getDayOfMonth",   "day_of_month"),
    OF_TIMESTAMP("getDayOfWeek",    "day_of_week"),
    OF_TIMESTAMP("getDayOfYear",    "day_of_year"),
    OF_TIMESTAMP("getFullYear",     "year"),
    OF_TIMESTAMP("getHours",        "hours"),
    OF_TIMESTAMP("getMilliseconds", "milliseconds"),
    OF_TIMESTAMP("getMinutes",      "minutes"),
    OF_TIMESTAMP("getMonth",        "month"),
    ONE("getSeconds",      "timestamp_to_seconds",     times_get),
    ONE("getSeconds",      "timestamp_to_seconds_tz",  times_get),
    ONE("getHours",        "duration_to_hours",        times_get),
    ONE("getMilliseconds", "duration_to_milliseconds", times_get),
    ONE("getMinutes",      "duration_to_minutes",      times_get),
    ONE("getSeconds",      "duration_to_seconds",      times_get),

    ONE("first",                   "list_first",              optionals_first),
    ONE("hasValue",                "optional_hasValue",       optionals_has_value),
    ONE("last",                    "list_last",               optionals_last),
    LISTED("optional.none",        "optional_none",           optionals_none, NULL),
    ONE("optional.of",             "optional_of",             optionals_of),
    ONE("optional.ofNonZeroValue", "optional_ofNonZeroValue", optionals_of_non_zero),
    ONE("optional.unwrap",         "optional_unwrap",         optionals_unwrap),
    ONE("unwrapOpt",               "optional_unwrapOpt",      optionals_unwrap),
    ONE("value",                   "optional_value",          optionals_value),

    ONE("charAt",        "string_char_at_int",               strings_char_at),
    LISTED("format",     "string_format",                    string_format_format,  price_first),
    NAMED("indexOf",     "string_index_of_string",           strings_index_of,      price_walk),
    NAMED("indexOf",     "string_index_of_string_int",       strings_index_of,      price_walk),
    NAMED("join",        "list_join",                        strings_join,          price_result_twice),
    NAMED("join",        "list_join_string",                 strings_join,          price_result_twice),
    NAMED("lastIndexOf", "string_last_index_of_string",      strings_last_index_of, price_walk),
    NAMED("lastIndexOf", "string_last_index_of_string_int",  strings_last_index_of, price_walk),
    NAMED("lowerAscii",  "string_lower_ascii",               strings_lower,         price_text),
    NAMED("replace",     "string_replace_string_string",     strings_replace,       price_text_twice),
    NAMED("replace",     "string_replace_string_string_int", strings_replace,       price_text_twice),
    NAMED("split",       "string_split_string",              strings_split,         price_text_twice),
    NAMED("split",       "string_split_string_int",          strings_split,         price_text_twice),
    PRICED("strings.quote", "strings_quote",                 strings_quote,         price_first),
    NAMED("substring",   "string_substring_int",             strings_substring,     price_text),
    NAMED("substring",   "string_substring_int_int",         strings_substring,     price_text),
    NAMED("trim",        "string_trim",                      strings_trim,          price_text),
    NAMED("upperAscii",  "string_upper_ascii",               strings_upper,         price_text),

    NAMED("find",        "string_find_string",         regexps_find,      price_find),
    NAMED("findAll",     "string_find_all_string",     regexps_find_all,  price_find),
    NAMED("findAll",     "string_find_all_string_int", regexps_find_all,  price_find),

    NAMED("includes",    "list_includes_dyn_dyn",        lists_includes,      price_walk),
    NAMED("indexOf",     "list_a_index_of_int",          lists_index_of,      price_walk),
    NAMED("lastIndexOf", "list_a_last_index_of_int",     lists_last_index_of, price_walk),
    SORTED("int"), SORTED("uint"), SORTED("double"), SORTED("bool"), SORTED("duration"), SORTED("timestamp"),
    SORTED("string"), SORTED("bytes"),
    EXTREMES("max", lists_max),
    EXTREMES("min", lists_min),
    NAMED("sum",         "list_int_sum_int",             lists_sum_int,       price_walk),
    NAMED("sum",         "list_uint_sum_uint",           lists_sum_uint,      price_walk),
    NAMED("sum",         "list_double_sum_double",       lists_sum_double,    price_walk),
    NAMED("sum",         "list_duration_sum_duration",   lists_sum_duration,  price_walk),

    PRICED("distinct",    "list_distinct",    lists_distinct, price_self),
    WHOLE("flatten",      lists_flatten,      0),
    PRICE("flatten",      "list_flatten",     price_flatten),
    PRICE("flatten",      "list_flatten_int", price_flatten),
    PRICED("lists.range", "lists_range",      lists_range,    price_new_list),
    PRICED("reverse",     "list_reverse",     lists_reverse,  price_new_list),
    PRICED("slice",       "list_slice",       lists_slice,    price_new_list),
    WHOLE("sort",         lists_sort,         K(LIST)),
    SORTS("sort", "_sort", price_self),
    WHOLE("@sortByAssociatedKeys", lists_sort_by_keys, K(LIST)),
    SORTS("@sortByAssociatedKeys", "_sortByAssociatedKeys", price_keys),

    PRICED("sets.contains",   "list_sets_contains_list",   lists_contains_all, price_pairs),
    PRICED("sets.equivalent", "list_sets_equivalent_list", lists_equivalent,   price_pairs_twice),
    PRICED("sets.intersects", "list_sets_intersects_list", lists_intersects,   price_pairs),

    NAMED("allowed",        "decision_allowed",          authorizations_allowed,         price_one),
    NAMED("check",          "pathcheck_check",           authorizations_check,           price_authorization),
    NAMED("check",          "resourcecheck_check",       authorizations_check,           price_authorization),
    NAMED("error",          "decision_error",            authorizations_error,           price_one),
    NAMED("errored",        "decision_errored",          authorizations_errored,         price_one),
    NAMED("fieldSelector",  "authorizer_fieldselector",  authorizations_refine,          price_selector),
    NAMED("group",          "authorizer_group",          authorizations_group,           price_one),
    NAMED("labelSelector",  "authorizer_labelselector",  authorizations_refine,          price_selector),
    NAMED("name",           "resourcecheck_name",        authorizations_refine,          price_one),
    NAMED("namespace",      "resourcecheck_namespace",   authorizations_refine,          price_one),
    NAMED("path",           "authorizer_path",           authorizations_path,            price_one),
    NAMED("reason",         "decision_reason",           authorizations_reason,          price_one),
    NAMED("resource",       "groupcheck_resource",       authorizations_resource,        price_one),
    NAMED("subresource",    "resourcecheck_subresource", authorizations_refine,          price_one),
    {STR_INIT("serviceAccount"), STR_INIT("authorizer_serviceaccount"), authorizations_service_account, price_one, 0, FUNCTION_OF_LIST, true},

    NAMED("ip",                   "string_to_ip",               addresses_ip,           price_text),
    PRICED("ip",                  "cidr_ip",                    addresses_ip_of_cidr,   price_one),
    NAMED("ip.isCanonical",       "ip_is_canonical",            addresses_is_canonical, price_text_twice),
    NAMED("isIP",                 "is_ip",                      addresses_is_ip,        price_text),
    ONE("family",                 "ip_family",                  addresses_family),
    ONE("isGlobalUnicast",        "ip_is_global_unicast",       addresses_ask),
    ONE("isLinkLocalMulticast",   "ip_is_link_local_multicast", addresses_ask),
    ONE("isLinkLocalUnicast",     "ip_is_link_local_unicast",   addresses_ask),
    ONE("isLoopback",             "ip_is_loopback",             addresses_ask),
    ONE("isUnspecified",          "ip_is_unspecified",          addresses_ask),
    ONE("string",                 "ip_to_string",               addresses_string),
    NAMED("cidr",                 "string_to_cidr",             addresses_cidr,         price_text),
    NAMED("isCIDR",               "is_cidr",                    addresses_is_cidr,      price_text),
    ONE("masked",                 "cidr_masked",                addresses_masked),
    ONE("prefixLength",           "cidr_prefix_length",         addresses_prefix_length),
    ONE("string",                 "cidr_to_string",             addresses_string),
    NAMED("containsIP",           "cidr_contains_ip_ip",        addresses_contains_ip,  price_contains_ip),
    PRICED("containsIP",          "cidr_contains_ip_string",    addresses_contains_ip,  price_contains_ip_text),
    NAMED("containsCIDR",         "cidr_contains_cidr",         addresses_contains_cidr, price_contains_cidr),
    PRICED("containsCIDR",        "cidr_contains_cidr_string",  addresses_contains_cidr, price_contains_cidr_text),

    NAMED("quantity",         "string_to_quantity",       quantities_quantity,    price_text),
    NAMED("isQuantity",       "is_quantity_string",       quantities_is_quantity, price_text),
    ONE("add",                "quantity_add",             quantities_add),
    ONE("add",                "quantity_add_int",         quantities_add),
    ONE("asApproximateFloat", "quantity_get_float",       quantities_float),
    ONE("asInteger",          "quantity_get_int",         quantities_integer),
    ONE("compareTo",          "quantity_compare_to",      quantities_compare),
    ONE("isGreaterThan",      "quantity_is_greater_than", quantities_is_greater),
    ONE("isInteger",          "quantity_is_integer",      quantities_is_integer),
    ONE("isLessThan",         "quantity_is_less_than",    quantities_is_less),
    ONE("sign",               "quantity_sign",            quantities_sign),
    ONE("sub",                "quantity_sub",             quantities_sub),
    ONE("sub",                "quantity_sub_int",         quantities_sub),

    NAMED("semver",           "string_to_semver",         semvers_semver,     price_text),
    NAMED("semver",           "string_bool_to_semver",    semvers_semver,     price_text),
    NAMED("isSemver",         "is_semver_string",         semvers_is_semver,  price_text),
    NAMED("isSemver",         "is_semver_string_bool",    semvers_is_semver,  price_text),
    ONE("compareTo",          "semver_compare_to",        semvers_compare),
    ONE("isGreaterThan",      "semver_is_greater_than",   semvers_is_greater),
    ONE("isLessThan",         "semver_is_less_than",      semvers_is_less),
    ONE("major",              "semver_major",             semvers_number),
    ONE("minor",              "semver_minor",             semvers_number),
    ONE("patch",              "semver_patch",             semvers_number),

    NAMED_FORMAT("byte"), NAMED_FORMAT("date"), NAMED_FORMAT("datetime"), NAMED_FORMAT("dns1035Label"),
    NAMED_FORMAT("dns1035LabelPrefix"), NAMED_FORMAT("dns1123Label"), NAMED_FORMAT("dns1123LabelPrefix"),
    NAMED_FORMAT("dns1123Subdomain"), NAMED_FORMAT("dns1123SubdomainPrefix"), NAMED_FORMAT("labelValue"),
    NAMED_FORMAT("qualifiedName"), NAMED_FORMAT("uri"), NAMED_FORMAT("uuid"),
    ONE("format.named",       "format-named",             formats_named),
    NAMED("validate",         "format-validate",          formats_validate,   price_validate),

    NAMED("url",              "string_to_url",            urls_url,           price_text),
    ONE("isURL",              "is_url_string",            urls_is_url),
    ONE("getEscapedPath",     "url_get_escaped_path",     urls_part),
    ONE("getHost",            "url_get_host",             urls_part),
    ONE("getHostname",        "url_get_hostname",         urls_part),
    ONE("getPort",            "url_get_port",             urls_part),
    ONE("getQuery",           "url_get_query",            urls_query),
    ONE("getScheme",          "url_get_scheme",           urls_part),

    NAMED("jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", strings_escape_key, price_text),

    LISTED("cel.@mapInsert", "@mapInsert_map_key_value", collections_insert, NULL),
    ONE("cel.@mapInsert",    "@mapInsert_map_map",       collections_insert_all),
};

/* What differs in a release of cel-go without a flag of celgo.h; the oldest first. */
#define BEFORE(flag, ...) {offsetof(struct celgo, flag), __VA_ARGS__}

static const struct {
    size_t flag;
    struct function_row row;
} older_rows[] = {
    BEFORE(allows_large_indices,  NAMED("indexOf",     "string_index_of_string",          strings_index_of_strict,         price_walk)),
    BEFORE(allows_large_indices,  NAMED("indexOf",     "string_index_of_string_int",      strings_index_of_strict,         price_walk)),
    BEFORE(allows_large_indices,  NAMED("lastIndexOf", "string_last_index_of_string_int", strings_last_index_of_strict,    price_walk)),
    BEFORE(bounds_indices,        NAMED("indexOf",     "string_index_of_string_int",      strings_index_of_unbounded,      price_walk)),
    BEFORE(bounds_indices,        NAMED("lastIndexOf", "string_last_index_of_string_int", strings_last_index_of_unbounded, price_walk)),
    BEFORE(searches_empty_texts,  NAMED("lastIndexOf", "string_last_index_of_string",     strings_last_index_of_strict,    price_walk)),
    BEFORE(contains_ranges,       NAMED("containsCIDR", "cidr_contains_cidr",             addresses_contains_cidr_at_start, price_contains_cidr)),
    BEFORE(contains_ranges,       PRICED("containsCIDR", "cidr_contains_cidr_string",     addresses_contains_cidr_at_start, price_contains_cidr_text)),
    BEFORE(bounds_levels,         PRICE("flatten",     "list_flatten_int",                price_flatten_unbounded)),
    BEFORE(bounds_ranges,         PRICED("lists.range", "lists_range",                    lists_range_unbounded,           price_new_list)),
    BEFORE(has_typed_optionals,   WHOLE("flatten",     lists_flatten_untyped,             0)),
    BEFORE(prices_affixes,        PRICE("endsWith",    "ends_with_string",                price_first)),
    BEFORE(prices_affixes,        PRICE("startsWith",  "starts_with_string",              price_first)),
    BEFORE(prices_global_matches, PRICE("matches",     "matches",                         price_one)),
};
/* clang-format on */

#define ROW_COUNT       (sizeof rows / sizeof *rows)
#define OLDER_ROW_COUNT (sizeof older_rows / sizeof *older_rows)

static const struct function_row *find_older_row(struct str function, struct str overload,
                                                 const struct celgo *celgo)
{
    for (size_t i = 0; celgo != NULL && i < OLDER_ROW_COUNT; i++) {
        const struct function_row *row = &older_rows[i].row;
        bool has_flag = *((const bool *)celgo + older_rows[i].flag);
        if (!has_flag && str_eq(overload, row->overload) && str_eq(function, row->function))
            return row;
    }
    return NULL;
}

const struct function_row *functions_whole(struct str function, const struct celgo *celgo)
{
    const struct function_row *older = find_older_row(function, STR(""), celgo);
    if (older != NULL)
        return older;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].overload.len == 0 && str_eq(function, rows[i].function))
            return &rows[i];
    }
    return NULL;
}

static const struct function_row *find_row(struct str function, struct str overload,
                                           const struct celgo *celgo)
{
    const struct function_row *older = find_older_row(function, overload, celgo);
    if (older != NULL)
        return older;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (str_eq(overload, rows[i].overload) && str_eq(function, rows[i].function))
            return &rows[i];
    }
    return NULL;
}

const struct function_row *functions_overload(struct str function, struct str overload,
                                              const struct celgo *celgo)
{
    const struct function_row *row = find_row(function, overload, celgo);
    return row == NULL || row->call == NULL ? NULL : row;
}

static const struct function_row *find_priced_by_name(struct str function)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].has_price_by_name && str_eq(function, rows[i].function))
            return &rows[i];
    }
    return NULL;
}

price_function *functions_price(struct str function, struct str overload, const struct celgo *celgo)
{
    const struct function_row *row = overload.len != 0 ? find_row(function, overload, celgo) : NULL;
    if (row == NULL || row->price == NULL)
        row = find_priced_by_name(function);
    return row == NULL || row->price == NULL ? price_one : row->price;
}
