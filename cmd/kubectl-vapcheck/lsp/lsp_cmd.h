/*
 * lsp_cmd: kubectl vapcheck lsp: check for editors, by the Language Server Protocol on standard input and
 * output.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_LSP_CMD_H
#define CMD_KUBECTL_VAPCHECK_LSP_LSP_CMD_H

/* argv[0] is "kubectl-vapcheck lsp". Returns the exit status: 0 after shutdown and exit, 1 if the editor
 * left without them, 2 for bad flags. */
int lsp_cmd(int argc, char **argv);

#endif
