#include "typecheck/cel/cost/sizes.h"

#include "typecheck/cel/schema/crd_type.h"

bool sizes_of_path(const struct sizes *sizes, struct sizes_path path, struct estimate *out)
{
    return path.len > 0 && sizes->find(sizes->of, path, out);
}

static bool is_element(struct str step)
{
    return str_eq(step, STR("@items")) || str_eq(step, STR("@values"));
}

static bool find_in_crd(const void *of, struct sizes_path path, struct estimate *out)
{
    struct crd_type at = *(const struct crd_type *)of;
    for (size_t i = 1; i < path.len; i++) {
        const struct str step = path.at[i];
        bool is_found = is_element(step)             ? crd_type_element(at, &at)
                        : str_eq(step, STR("@keys")) ? crd_type_key(at, &at)
                                                     : crd_type_field(at, step, &at);
        if (!is_found)
            return false;
    }
    *out = (struct estimate){0, (uint64_t)crd_type_max_elements(&at)};
    return true;
}

struct sizes sizes_of_crd(const struct crd_type *self)
{
    return (struct sizes){find_in_crd, self};
}

/* ---- devices (k8s.io/api/resource/v1 and k8s.io/dynamic-resource-allocation/cel) ---- */

enum { DOMAIN_BYTES = 63, ID_BYTES = 32, DRIVER_BYTES = 63, VALUE_BYTES = 64, MAP_ENTRIES = 32 };

/* A place below `device`. */
enum place {
    DEVICE,
    DRIVER,
    MULTIPLE,
    ATTRIBUTES,
    CAPACITY,
    OF_DOMAIN,
    QUANTITIES,
    VALUE,
    QUANTITY,
    DOMAIN,
    ID,
    NOWHERE
};

static const struct {
    uint64_t max;
    enum place element, key; /* NOWHERE: it has none */
} places[] = {
    [DEVICE] = {0, NOWHERE, NOWHERE},
    [DRIVER] = {DRIVER_BYTES, NOWHERE, NOWHERE},
    [MULTIPLE] = {1, NOWHERE, NOWHERE},
    [ATTRIBUTES] = {MAP_ENTRIES, OF_DOMAIN, DOMAIN},
    [CAPACITY] = {MAP_ENTRIES, QUANTITIES, DOMAIN},
    [OF_DOMAIN] = {MAP_ENTRIES, VALUE, ID},
    [QUANTITIES] = {MAP_ENTRIES, QUANTITY, ID},
    [VALUE] = {VALUE_BYTES, NOWHERE, NOWHERE},
    [QUANTITY] = {0, NOWHERE, NOWHERE},
    [DOMAIN] = {DOMAIN_BYTES, NOWHERE, NOWHERE},
    [ID] = {ID_BYTES, NOWHERE, NOWHERE},
};

/* An attribute of a domain is found by its name, too; a domain is not. */
static enum place step_to(enum place from, struct str step)
{
    static const struct {
        struct str name;
        enum place place;
    } fields[] = {
        {STR_INIT("driver"), DRIVER},
        {STR_INIT("allowMultipleAllocations"), MULTIPLE},
        {STR_INIT("attributes"), ATTRIBUTES},
        {STR_INIT("capacity"), CAPACITY},
    };
    if (is_element(step))
        return places[from].element;
    if (str_eq(step, STR("@keys")))
        return places[from].key;
    for (size_t i = 0; from == DEVICE && i < sizeof fields / sizeof *fields; i++) {
        if (str_eq(step, fields[i].name))
            return fields[i].place;
    }
    return from == OF_DOMAIN ? VALUE : NOWHERE;
}

static bool find_in_device(const void *of, struct sizes_path path, struct estimate *out)
{
    enum place at = str_eq(path.at[0], STR("device")) ? DEVICE : NOWHERE;
    (void)of;
    for (size_t i = 1; i < path.len && at != NOWHERE; i++)
        at = step_to(at, path.at[i]);
    if (at != NOWHERE)
        *out = (struct estimate){0, places[at].max};
    return at != NOWHERE;
}

struct sizes sizes_of_device(void)
{
    return (struct sizes){find_in_device, NULL};
}
