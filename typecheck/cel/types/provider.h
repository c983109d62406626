/*
 * provider: finds types by name, and their fields.
 *
 * It corresponds to cel-go's type registry (`int`, `google.protobuf.Int64Value`)
 * with Kubernetes' DeclTypeProvider on top, which knows the object types of the
 * declared variables (`kubernetes.AdmissionRequest`). The messages of protobuf's
 * well-known types are a table here. The variables are borrowed.
 */
#ifndef TYPECHECK_CEL_TYPES_PROVIDER_H
#define TYPECHECK_CEL_TYPES_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"

struct provider {
    struct types *ts;
    int level;
    const struct variable *variables;
    size_t variable_count;
    bool has_declared; /* a variable has an object type, so Kubernetes' own provider is used */
    bool has_keyword_fields;
    bool has_mutation_types;
    bool has_typed_optionals;
    struct str optional_name; /* of the type */
    bool has_generic_idents;  /* `list` is the type of lists of some type, not of anything */
};

void provider_init(struct provider *p, struct types *ts, const struct env *env,
                   const struct variable *variables, size_t variable_count);

/* The type that the name denotes, or NULL: FindIdent. */
const struct type *provider_ident(const struct provider *p, struct str name);

/* The type of values that `name{...}` makes, or NULL: FindStructType. */
const struct type *provider_struct(const struct provider *p, struct str name);

/* Returns true if that is a type of Kubernetes' own provider. */
bool provider_declares(const struct provider *p, struct str name);

/* Returns true if the name is that of an enumeration's value. */
bool provider_is_enum_value(struct str name);

/* Returns true if any of the above can know a name of several components that begins with `first`. */
bool provider_may_know(const struct provider *p, struct str first);

enum provider_found {
    PROVIDER_FOUND,
    PROVIDER_NO_FIELD,
    PROVIDER_NO_TYPE,
};

/* Returns true if `t` is an object type that knows its fields. */
bool provider_is_declared(const struct type *t);

/* Finds a field of such a type. */
enum provider_found provider_declared_field(const struct provider *p, const struct type *object,
                                            struct str field, const struct type **type);

/* Finds a field of the type with this name. */
enum provider_found provider_field(const struct provider *p, struct str type_name, struct str field,
                                   const struct type **type);

/* The message name of a well-known type: "google.protobuf.Int64Value" for wrapper(int). Empty: it is none. */
struct str provider_message_name(struct types *ts, const struct type *t);

/* The type of a message name: for a well-known message the type of its values, else an object type. */
const struct type *provider_object(struct types *ts, struct str name);

#endif
