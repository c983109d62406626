/*
 * spelling: the rules for what a string may look like, which the API server's validation has, or its own code
 * keeps.
 *
 * The rules of names are those of k8s.io/apimachinery/pkg/util/validation.
 */
#ifndef TYPECHECK_CEL_TYPES_SPELLING_H
#define TYPECHECK_CEL_TYPES_SPELLING_H

enum spelling {
    SPELLING_ANY,
    SPELLING_DNS_LABEL,      /* at most 63 of a-z, 0-9 and -, with none of - at its ends */
    SPELLING_DNS_SUBDOMAIN,  /* the same with dots, at most 253 letters; each part may be as long */
    SPELLING_HOST,           /* the same, and "*." may be before it */
    SPELLING_PORT_NAME,      /* at most 15 of a-z, 0-9 and - */
    SPELLING_LABEL_KEY,      /* a name of at most 63 letters, or a DNS subdomain, a slash and such a name */
    SPELLING_ANNOTATION_KEY, /* the same; capital letters may be in the subdomain, too */
    SPELLING_LABEL_VALUE,    /* at most 63 letters, digits and -, _, ., with letters or digits at its ends */
    SPELLING_BASE64,         /* bytes in the standard alphabet, padded */
    SPELLING_QUANTITY,       /* an amount in its canonical form */
    SPELLINGS,               /* their number */
} __attribute__((packed));

#endif
