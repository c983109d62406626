/*
 * string_call: functions of strings: what is known of the string that one returns, and the tests
 * startsWith(), endsWith() and contains().
 *
 *     c.lowerAscii() == 'Nginx'              // never: the result has no capital letter
 *     image.split(':')[0].contains(':')      // never: a part does not have what it was split at
 *     name.substring(0, 4) == 'prod-'        // never: the result has four characters
 *     object.metadata.namespace.startsWith('Prod')
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_STRING_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_STRING_CALL_H

#include "typecheck/policy/abstract/domain/abscall.h"

struct transfer string_call_case(const struct abscall *c);
struct transfer string_call_char_at(const struct abscall *c);
struct transfer string_call_convert(const struct abscall *c);
struct transfer string_call_replace(const struct abscall *c);
struct transfer string_call_split(const struct abscall *c);
struct transfer string_call_substring(const struct abscall *c);
struct transfer string_call_trim(const struct abscall *c);

struct transfer string_call_test(const struct abscall *c);

#endif
