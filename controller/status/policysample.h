/*
 * policysample: the JSON text of a policy with a status, as an API server writes it. Texts that are like it
 * take less memory (store_set_sample): the larger part of most policies is what the server and this program
 * add.
 *
 * Nothing depends on what it says. If the status gets another form, the texts need a little more memory.
 */
#ifndef CONTROLLER_STATUS_POLICYSAMPLE_H
#define CONTROLLER_STATUS_POLICYSAMPLE_H

extern const char policysample[];

#endif
