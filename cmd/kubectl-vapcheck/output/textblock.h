/*
 * textblock: one finding as people read it.
 *
 *     error[undefined-field]: no field 'replicas' in Deployment, StatefulSet (apps/v1)
 *       --> manifests/examples/replicas.yaml:16:24   policy replicas, spec.validations[0].expression
 *        |
 *     16 |   - expression: object.replicas <= 5
 *        |                        ^^^^^^^^ fix: spec.replicas
 *        = each request that gets here fails: no such key: replicas
 *
 * What is not known is left out.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_TEXTBLOCK_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_TEXTBLOCK_H

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/output/frame.h"
#include "cmd/kubectl-vapcheck/output/style.h"

/* All is borrowed. NULL: there is none. */
struct textblock {
    enum finding_severity severity;
    enum finding_id id;   /* FINDING_COUNT: it has none */
    const char *versions; /* those of Kubernetes that have it, of several that were checked */
    const char *title;    /* the mistake */
    const char *file;
    struct yaml_place at;      /* line 0: the file as a whole */
    const char *object;        /* "policy replicas" */
    const char *field;         /* the field that it is about; NULL or "" for the whole object */
    const struct frame *frame; /* the line of the file */
    const char *fix;           /* the remedy: after the underline, if there is room */
    const char *why;           /* the consequence */
    const char *server;        /* the text of upstream, word for word: may have several lines */
    bool has_seen_line;        /* the frame's line stands above already */
};

/* Returns whether the frame's whole line is seen now. The caller prints what else there is to say, and an
 * empty line. */
bool textblock_print(const struct textblock *block, const struct style_sequences *style, FILE *out);

#endif
