/*
 * schema_cmd: kubectl vapcheck schema: the JSON Schemas of what commands print with -o json.
 */
#ifndef CMD_KUBECTL_VAPCHECK_SCHEMA_CMD_H
#define CMD_KUBECTL_VAPCHECK_SCHEMA_CMD_H

/* argv: the title of the command, and one name of a schema. Returns the exit status. */
int schema_cmd(int argc, char **argv);

#endif
