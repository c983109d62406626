/*
 * bounds: the bounds of the abstract evaluation: how deep it goes, and how much it remembers about a value.
 *
 * A bound on work ends the unit of work that reaches it. The expression or the
 * type is then one of the result's limits (typecheck.h), and nothing is
 * reported about it. There are more bounds on work in other files:
 * TYPE_MAX_DEPTH (types within each other), the nesting of schemas
 * (object_type.c), and the caps of struct typecheck_caps. The caps bound the
 * number of ways in which a type comes, the lengths of lists, maps and chains
 * of failures, and the number of variables and narrowings.
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
#ifndef TYPECHECK_ABSVAL_BOUNDS_H
#define TYPECHECK_ABSVAL_BOUNDS_H

/* Work: lists and optionals within each other in a value, as through variables. */
#define BOUNDS_VALUE_DEPTH 1000u

/* Work: nodes within each other while they are evaluated. A variable that is reached too deep is evaluated by
 * itself first (eval_policy.c), so that one expression's own tree counts: no tree that parses has so many. */
#define BOUNDS_WALK_DEPTH 1100u

/*
 * Precision: the values that a scalar is known by. Of more it is any of its
 * kind: an equality with it is then open, as that of an object's field is.
 * Findings are about kinds, fields and single constants, and no operation
 * that fails asks for one of several values.
 */
#define BOUNDS_VALUES 16u

/*
 * Precision: the sorts of map that a patched object may be, as branches make
 * them. Of more nothing is known but what the last operation set.
 */
#define BOUNDS_SORTS 8u

/* Precision: the keys of such a map that are known by name. Of more, too. */
#define BOUNDS_FIELDS 64u

/*
 * Precision: the fields of an object that together say what a key finds which
 * is not known. Of an object with more it is any JSON: hardly an operation
 * fails for each of so many fields.
 */
#define BOUNDS_ENTRIES 200u

/* Precision: the parts of a path in a JSON patch. What is done at a longer one may be anywhere. */
#define BOUNDS_PATH_PARTS 100u

#endif
