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

struct manifest_object {
    enum objectkind kind; /* OTHER as well if its expressions are of another language */
    size_t document;      /* counted from 0 within the file */
    char *name_of_kind;
    const struct yaml_node *root;       /* the object's tree; NULL once the manifest is released */
    struct crds_definition *definition; /* of a CustomResourceDefinition whose tree is not needed, then its
                                           root has no more than its names; NULL: it is in the tree */
};

/* The way to read a large text whose objects are definitions. */
struct manifest_reading {
    /* Returns true if the tree of a CustomResourceDefinition is needed once its types are kept. If it is
     * NULL, all trees are. */
    bool (*is_needed)(void *user, struct json_object *definition);
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
    struct manifest_reduced *reduced; /* in their order, until the objects have them */
    size_t n_reduced;
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
void manifest_deinit(struct manifest *manifest);

#endif
