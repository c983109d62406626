/*
 * constantadvice: strings with which a rule compares a field, and which are not in the field's enum. Pure.
 *
 *     constantadvice_find(&rule);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_CONSTANTADVICE_H
#define CONTROLLER_APISERVER_CRDADVICE_CONSTANTADVICE_H

#include "controller/apiserver/crdadvice/advicerule.h"

/* Adds what is found in the rule, whose reads were read. */
void constantadvice_find(const struct advicerule *rule);

#endif
