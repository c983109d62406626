/*
 * schema: OpenAPI documents and CustomResourceDefinitions, read as the types of objects. A public header.
 */
#ifndef TYPECHECK_SCHEMA_H
#define TYPECHECK_SCHEMA_H

#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/default_rows.h"
#include "typecheck/cel/schema/field_path.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/graph_digest.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/schema_document.h"

#endif
