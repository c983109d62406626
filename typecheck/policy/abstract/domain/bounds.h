/*
 * bounds: the limits of the abstract evaluation: how deep it goes, and how much it remembers about a value.
 *
 * A bound on work ends the unit of work that reaches it. The expression or the
 * type is then one of the result's limits (typecheck.h), and nothing is
 * reported about it. There are more bounds on work in other files:
 * TYPE_MAX_DEPTH (nested types), the nesting of schemas (object_type.c), and the
 * caps of struct typecheck_caps. The caps bound the kinds of request of a type,
 * the lengths of lists, maps and chains of failures, and the number of variables
 * and narrowings.
 *
 * A bound on precision makes the set of values larger that an abstract value
 * stands for (absval.h). A finding is a site that fails for all values of the
 * set, so a larger set never makes a finding wrong. The comment at each bound
 * says why the bound loses no certain finding.
 *
 * Other bounds limit what is shown, not what is checked: ISSUES_SHOWN and
 * ISSUE_SNIPPET_MAX_BYTES (upstream's), struct report_limits (counted in
 * left_out), and the longest name that suggest.h compares. The bounds of the
 * recognizer, of regular expressions and BUILDER_MAX_DEPTH are upstream's own:
 * an expression that reaches them has an issue with upstream's text.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_BOUNDS_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_BOUNDS_H

/* Work: nested lists and optionals in a value, as variables can make them. */
#define BOUNDS_VALUE_DEPTH 1000u

/* Work: nested nodes in evaluation. A variable that is reached too deep is evaluated alone first
 * (eval_policy.c), so only the tree of one expression counts, and no tree that parses is so deep. */
#define BOUNDS_WALK_DEPTH 1100u

/*
 * Precision: the known values of a scalar. With more, it can be any value of its
 * kind, and an equality with it is open, as with a field of an object. Findings
 * are about kinds, fields and single constants; no failing operation depends on
 * one of several values.
 */
#define BOUNDS_VALUES 16u

/*
 * Precision: the comparisons before a place that say what a value is there. Behind more of them the further
 * ones say nothing.
 */
#define BOUNDS_COMPARED 32u

/*
 * Precision: the nodes of an operand of such a comparison. Authors hardly write a longer operand a
 * second time, and it would be looked at again for each operator behind it.
 */
#define BOUNDS_REPEATED 64u

/*
 * Precision: the sorts of map that a patched object may be; branches make several.
 * With more, only what the last operation set is known.
 */
#define BOUNDS_SORTS 8u

/* Precision: the keys of such a map that are known by name. With more, only the changes of the last operation
 * are known. */
#define BOUNDS_FIELDS 64u

/*
 * Precision: the fields of an object that are joined for an unknown key. In an object
 * with more fields the result is any JSON; hardly any operation fails for each of
 * so many fields.
 */
#define BOUNDS_ENTRIES 200u

/* Precision: the parts of a path in a JSON patch. An operation with a longer path may change anything. */
#define BOUNDS_PATH_PARTS 100u

#endif
