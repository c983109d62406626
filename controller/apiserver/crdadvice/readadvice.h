/*
 * readadvice: optional fields that a rule reads without has(). Pure.
 *
 * Each is shown by a resource on which the rule ends in an error, and which the corrected rule takes.
 *
 *     readadvice_find(&rule);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_READADVICE_H
#define CONTROLLER_APISERVER_CRDADVICE_READADVICE_H

#include "controller/apiserver/crdadvice/advicerule.h"

/* Adds what is found in the rule, whose reads were read. */
void readadvice_find(const struct advicerule *rule);

#endif
