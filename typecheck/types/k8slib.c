#include "typecheck/types/decl.h"

#include <stddef.h>

/* clang-format off */
const struct decl_type k8slib_types[] = {
    {"Authorizer",    "kubernetes.authorization.Authorizer",    TYPE_OBJECT, 0},
    {"CIDR",          "net.CIDR",                               TYPE_OPAQUE, 30},
    {"Decision",      "kubernetes.authorization.Decision",      TYPE_OBJECT, 0},
    {"GroupCheck",    "kubernetes.authorization.GroupCheck",    TYPE_OBJECT, 0},
    {"IP",            "net.IP",                                 TYPE_OPAQUE, 30},
    {"NamedFormat",   "kubernetes.NamedFormat",                 TYPE_OBJECT, 31},
    {"PathCheck",     "kubernetes.authorization.PathCheck",     TYPE_OBJECT, 0},
    {"Quantity",      "kubernetes.Quantity",                    TYPE_OBJECT, 0},
    {"ResourceCheck", "kubernetes.authorization.ResourceCheck", TYPE_OBJECT, 0},
    {"Semver",        "kubernetes.Semver",                      TYPE_OBJECT, 33},
    {"URL",           "kubernetes.URL",                         TYPE_OBJECT, 0},

    {NULL, NULL, TYPE_ERROR, 0},
};

/* Functions of lists of one type. */
#define OF_LIST(function, id, type, result) \
    {function, "list_" type "_" id, "list(" type ").() -> " result, 0}
#define IS_SORTED(function, type) OF_LIST(function, "is_sorted_bool", type, "bool")
#define OF_ITEMS(function, type)  OF_LIST(function, function "_" type, type, type)

/* A row for each type that has an order. */
#define ORDERED(row, function) \
    row(function, "int"), row(function, "uint"), row(function, "double"), row(function, "bool"), \
    row(function, "duration"), row(function, "timestamp"), row(function, "string"), row(function, "bytes")

const struct decl k8slib_lists[] = {
    {"includes",    "list_includes_dyn_dyn",         "dyn.(dyn) -> bool",               37},
    {"indexOf",     "list_a_index_of_int",           "list(A).(A) -> int",              0},
    ORDERED(IS_SORTED, "isSorted"),
    {"lastIndexOf", "list_a_last_index_of_int",      "list(A).(A) -> int",              0},
    ORDERED(OF_ITEMS, "max"),
    ORDERED(OF_ITEMS, "min"),
    OF_ITEMS("sum", "int"), OF_ITEMS("sum", "uint"), OF_ITEMS("sum", "double"), OF_ITEMS("sum", "duration"),

    {NULL, NULL, NULL, 0},
};

const struct decl k8slib_decls[] = {
    /* URLs */
    {"getEscapedPath", "url_get_escaped_path", "URL.() -> string",                    0},
    {"getHost",        "url_get_host",         "URL.() -> string",                    0},
    {"getHostname",    "url_get_hostname",     "URL.() -> string",                    0},
    {"getPort",        "url_get_port",         "URL.() -> string",                    0},
    {"getQuery",       "url_get_query",        "URL.() -> map(string, list(string))", 0},
    {"getScheme",      "url_get_scheme",       "URL.() -> string",                    0},
    {"isURL",          "is_url_string",        "(string) -> bool",                    0},
    {"url",            "string_to_url",        "(string) -> URL",                     0},

    /* Regular expressions */
    {"find",    "string_find_string",         "string.(string) -> string",            0},
    {"findAll", "string_find_all_string",     "string.(string) -> list(string)",      0},
    {"findAll", "string_find_all_string_int", "string.(string, int) -> list(string)", 0},

    /* Authorizer */
    {"allowed",        "decision_allowed",          "Decision.() -> bool",                       0},
    {"check",          "pathcheck_check",           "PathCheck.(string) -> Decision",            0},
    {"check",          "resourcecheck_check",       "ResourceCheck.(string) -> Decision",        0},
    {"error",          "decision_error",            "Decision.() -> string",                     0},
    {"errored",        "decision_errored",          "Decision.() -> bool",                       0},
    {"fieldSelector",  "authorizer_fieldselector",  "ResourceCheck.(string) -> ResourceCheck",   31},
    {"group",          "authorizer_group",          "Authorizer.(string) -> GroupCheck",         0},
    {"labelSelector",  "authorizer_labelselector",  "ResourceCheck.(string) -> ResourceCheck",   31},
    {"name",           "resourcecheck_name",        "ResourceCheck.(string) -> ResourceCheck",   0},
    {"namespace",      "resourcecheck_namespace",   "ResourceCheck.(string) -> ResourceCheck",   0},
    {"path",           "authorizer_path",           "Authorizer.(string) -> PathCheck",          0},
    {"reason",         "decision_reason",           "Decision.() -> string",                     0},
    {"resource",       "groupcheck_resource",       "GroupCheck.(string) -> ResourceCheck",      0},
    {"serviceAccount", "authorizer_serviceaccount", "Authorizer.(string, string) -> Authorizer", 0},
    {"subresource",    "resourcecheck_subresource", "ResourceCheck.(string) -> ResourceCheck",   0},

    /* Quantities */
    {"add",                "quantity_add",             "Quantity.(Quantity) -> Quantity", 0},
    {"add",                "quantity_add_int",         "Quantity.(int) -> Quantity",      0},
    {"asApproximateFloat", "quantity_get_float",       "Quantity.() -> double",           0},
    {"asInteger",          "quantity_get_int",         "Quantity.() -> int",              0},
    {"compareTo",          "quantity_compare_to",      "Quantity.(Quantity) -> int",      0},
    {"isGreaterThan",      "quantity_is_greater_than", "Quantity.(Quantity) -> bool",     0},
    {"isInteger",          "quantity_is_integer",      "Quantity.() -> bool",             0},
    {"isLessThan",         "quantity_is_less_than",    "Quantity.(Quantity) -> bool",     0},
    {"isQuantity",         "is_quantity_string",       "(string) -> bool",                0},
    {"quantity",           "string_to_quantity",       "(string) -> Quantity",            0},
    {"sign",               "quantity_sign",            "(Quantity) -> int",               0},
    {"sub",                "quantity_sub",             "Quantity.(Quantity) -> Quantity", 0},
    {"sub",                "quantity_sub_int",         "Quantity.(int) -> Quantity",      0},

    /* IP addresses */
    {"family",               "ip_family",                  "IP.() -> int",     30},
    {"ip",                   "string_to_ip",               "(string) -> IP",   30},
    {"ip.isCanonical",       "ip_is_canonical",            "(string) -> bool", 30},
    {"isGlobalUnicast",      "ip_is_global_unicast",       "IP.() -> bool",    30},
    {"isIP",                 "is_ip",                      "(string) -> bool", 30},
    {"isLinkLocalMulticast", "ip_is_link_local_multicast", "IP.() -> bool",    30},
    {"isLinkLocalUnicast",   "ip_is_link_local_unicast",   "IP.() -> bool",    30},
    {"isLoopback",           "ip_is_loopback",             "IP.() -> bool",    30},
    {"isUnspecified",        "ip_is_unspecified",          "IP.() -> bool",    30},
    {"string",               "ip_to_string",               "(IP) -> string",   30},

    /* CIDR ranges */
    {"cidr",         "string_to_cidr",            "(string) -> CIDR",      30},
    {"containsCIDR", "cidr_contains_cidr_string", "CIDR.(string) -> bool", 30},
    {"containsCIDR", "cidr_contains_cidr",        "CIDR.(CIDR) -> bool",   30},
    {"containsIP",   "cidr_contains_ip_string",   "CIDR.(string) -> bool", 30},
    {"containsIP",   "cidr_contains_ip_ip",       "CIDR.(IP) -> bool",     30},
    {"ip",           "cidr_ip",                   "CIDR.() -> IP",         30},
    {"isCIDR",       "is_cidr",                   "(string) -> bool",      30},
    {"masked",       "cidr_masked",               "CIDR.() -> CIDR",       30},
    {"prefixLength", "cidr_prefix_length",        "CIDR.() -> int",        30},
    {"string",       "cidr_to_string",            "(CIDR) -> string",      30},

    /* Named formats */
    {"format.byte",                   "format.byte",                   "() -> NamedFormat",                              31},
    {"format.date",                   "format.date",                   "() -> NamedFormat",                              31},
    {"format.datetime",               "format.datetime",               "() -> NamedFormat",                              31},
    {"format.dns1035Label",           "format.dns1035Label",           "() -> NamedFormat",                              31},
    {"format.dns1035LabelPrefix",     "format.dns1035LabelPrefix",     "() -> NamedFormat",                              31},
    {"format.dns1123Label",           "format.dns1123Label",           "() -> NamedFormat",                              31},
    {"format.dns1123LabelPrefix",     "format.dns1123LabelPrefix",     "() -> NamedFormat",                              31},
    {"format.dns1123Subdomain",       "format.dns1123Subdomain",       "() -> NamedFormat",                              31},
    {"format.dns1123SubdomainPrefix", "format.dns1123SubdomainPrefix", "() -> NamedFormat",                              31},
    {"format.labelValue",             "format.labelValue",             "() -> NamedFormat",                              31},
    {"format.named",                  "format-named",                  "(string) -> optional(NamedFormat)",              31},
    {"format.qualifiedName",          "format.qualifiedName",          "() -> NamedFormat",                              31},
    {"format.uri",                    "format.uri",                    "() -> NamedFormat",                              31},
    {"format.uuid",                   "format.uuid",                   "() -> NamedFormat",                              31},
    {"validate",                      "format-validate",               "NamedFormat.(string) -> optional(list(string))", 31},

    /* Semantic versions */
    {"compareTo",     "semver_compare_to",      "Semver.(Semver) -> int",   33},
    {"isGreaterThan", "semver_is_greater_than", "Semver.(Semver) -> bool",  33},
    {"isLessThan",    "semver_is_less_than",    "Semver.(Semver) -> bool",  33},
    {"isSemver",      "is_semver_string",       "(string) -> bool",         33},
    {"isSemver",      "is_semver_string_bool",  "(string, bool) -> bool",   33},
    {"major",         "semver_major",           "Semver.() -> int",         33},
    {"minor",         "semver_minor",           "Semver.() -> int",         33},
    {"patch",         "semver_patch",           "Semver.() -> int",         33},
    {"semver",        "string_to_semver",       "(string) -> Semver",       33},
    {"semver",        "string_bool_to_semver",  "(string, bool) -> Semver", 33},

    {NULL, NULL, NULL, 0},
};

const struct decl k8slib_mutation_decls[] = {
    {"jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", "(string) -> string", 0},

    {NULL, NULL, NULL, 0},
};
/* clang-format on */
