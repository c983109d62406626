/* router: which request asks for what; the rest is refused with a Status that says why. */
#ifndef SUPPORT_ROUTER_H
#define SUPPORT_ROUTER_H

#include "tests/support/cluster.h"
#include "tests/support/httpd.h"

/* An httpd handler; user is a struct cluster. */
void router_handle(void *user, const struct httpd_request *request, struct reply *reply);

#endif
