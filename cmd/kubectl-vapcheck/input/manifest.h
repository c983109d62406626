/*
 * manifest: a file of Kubernetes objects, parsed, and for each object how it is to be checked.
 *
 * Files that SOPS or git-crypt encrypted, and the templates of a Helm chart, have
 * no objects that can be read; MANIFEST_LEFT_OUT says why. The items of a List count as objects of their own.
 * The caller owns the manifest. If a file has no object to check, the caller should release it as soon as the
 * kinds of its objects are noted, because its trees are large.
 *
 *     struct manifest m;
 *     manifest_read(&m, input);
 *     if (m.problem == NULL && m.left_out == NULL)
 *         for (size_t i = 0; i < m.n_objects; i++) look(&m.objects[i]);
 *     manifest_deinit(&m);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_MANIFEST_H
#define CMD_KUBECTL_VAPCHECK_INPUT_MANIFEST_H

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/match/objectkind.h"

/* The verdict on a CustomResourceDefinition of a large text, of whose tree it says what is left. */
enum manifest_verdict {
    MANIFEST_NOT_ASKED, /* the tree is there, and nothing is known */
    MANIFEST_NEEDED,    /* it is to be checked: the tree is there */
    MANIFEST_NOT_OURS,  /* there is nothing to check: only its names are left of the tree */
    MANIFEST_CLEAN,     /* it was checked, and has no finding: only its names are left */
};

struct manifest_object {
    enum objectkind kind; /* OTHER as well if its expressions are of another language */
    enum manifest_verdict verdict;
    size_t document; /* counted from 0 within the file */
    char *name_of_kind;
    const struct yaml_node *root;       /* the tree of the object; NULL once the manifest is released */
    struct crds_definition *definition; /* the types of a CustomResourceDefinition of which only the names are
                                           left; NULL: they are in the tree, or known already */
};

/* The way to read a large text whose objects are definitions. */
struct manifest_reading {
    /* Judges a CustomResourceDefinition; NULL: all trees are needed. may_be_clean: no comment of the text is
     * for us. */
    enum manifest_verdict (*judge)(void *user, const struct yaml_node *root, bool may_be_clean);
    void *user;
    size_t most_bytes; /* of a text of which each tree is needed */
    bool has_types;    /* the types are kept already */
};

struct manifest {
    const char *file;     /* the input's */
    bool is_found;        /* the input's */
    char *problem;        /* why its objects cannot be read; NULL: they can */
    char *problem_line;   /* the line at `where`; NULL: there is none */
    bool is_missing;      /* the named input does not exist, or cannot be opened */
    bool is_context;      /* the input's */
    bool is_empty;        /* the input's */
    const char *left_out; /* why its objects are not read, which is no problem; NULL: they are read */
    struct yaml_place where;
    struct yaml *yaml;
    struct manifest_object *objects;
    size_t n_objects;
    struct lh_table *judged; /* the definitions of a large text by their roots, until the objects have them */
};

void manifest_read(struct manifest *manifest, const struct input *input);
/* The same without the trees that are not needed. */
void manifest_read_reduced(struct manifest *manifest, const struct input *input,
                           const struct manifest_reading *reading);
/* The same for a text in memory. file is borrowed; the bytes are copied. */
void manifest_read_text(struct manifest *manifest, const char *file, const char *bytes, size_t len);
/* The same file under another input, whose name is borrowed. */
void manifest_rename(struct manifest *manifest, const struct input *input);
/* Forgets the tree, keeps what its objects were. */
void manifest_release(struct manifest *manifest);
/* Returns true if no object but clean ones is left to report. */
bool manifest_is_clean(const struct manifest *manifest);
void manifest_deinit(struct manifest *manifest);

#endif
