#include "typecheck/policy/compile/policy.h"

const struct str policy_operation_names[POLICY_OPERATIONS] = {STR_INIT("CREATE"), STR_INIT("UPDATE"),
                                                              STR_INIT("DELETE"), STR_INIT("CONNECT")};
