#include "controller/match/identities.h"

#include <inttypes.h>
#include <stdio.h>

#include "typecheck/schema.h"

/* A key is the two halves of a digest, each in 16 hexadecimal digits, and the NUL. */
enum { KEY_BYTES = 33 };

void identities_deinit(struct identities *identities)
{
    keymap_deinit(&identities->numbers, NULL);
}

static void add_request(struct schema_digest *d, const struct policy_request *r)
{
    schema_digest_add(d, r->group);
    schema_digest_add(d, r->version);
    schema_digest_add(d, r->resource);
    schema_digest_add(d, r->subresource);
    schema_digest_add_number(d, r->operations * 4 + r->is_namespaced * 2 + r->has_status);
}

static struct schema_digest digest_of(const struct policy_type *type)
{
    struct schema_digest d = schema_digest_of(type->doc, type->node);
    if (d.first == 0 && d.second == 0)
        return d;
    schema_digest_add(&d, type->group);
    schema_digest_add(&d, type->version);
    schema_digest_add(&d, type->kind);
    schema_digest_add_number(&d, type->request_count);
    for (size_t i = 0; i < type->request_count; i++)
        add_request(&d, &type->requests[i]);
    return d;
}

uint32_t identities_number(struct identities *identities, const struct policy_type *type)
{
    char key[KEY_BYTES];
    if (type->node == NULL)
        return 0;
    const struct schema_digest d = digest_of(type);
    if (d.first == 0 && d.second == 0)
        return 0;
    snprintf(key, sizeof key, "%016" PRIx64 "%016" PRIx64, d.first, d.second);
    uintptr_t number = (uintptr_t)keymap_get(&identities->numbers, key);
    if (number != 0)
        return (uint32_t)number;
    number = identities->numbers.count + 1;
    keymap_put(&identities->numbers, key, (void *)number);
    return (uint32_t)number;
}
