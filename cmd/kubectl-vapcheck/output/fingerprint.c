#include "cmd/kubectl-vapcheck/output/fingerprint.h"

#include <inttypes.h>
#include <string.h>

#include "bytes/hash.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The keys are constants, so that every run and every machine makes the same. */
static const uint64_t keys[2][2] = {{UINT64_C(0x7661706368656b31), UINT64_C(0x66696e67657270)},
                                    {UINT64_C(0x7661706368656b32), UINT64_C(0x7072696e747321)}};

char *fingerprint_of_text(struct keymap *known, const char *what)
{
    char *key = NULL;
    size_t n = 0;
    do {
        mem_free(key);
        key = mem_printf("%s\n%zu", what, n++);
    } while (!keymap_add(known, key));
    const size_t len = strlen(key);
    char *text = mem_printf("%016" PRIx64 "%016" PRIx64, hash_with_key(keys[0], key, len),
                            hash_with_key(keys[1], key, len));
    mem_free(key);
    return text;
}

char *fingerprint_of(struct keymap *known, const struct output_place *place, const struct found_item *item)
{
    struct json_object *json = place->root->json;
    cleanup_mem char *what =
        mem_printf("%s\n%s\n%s\n%s\n%s", finding_pages[item->id].id, jsonval_string_or_empty(json, "kind"),
                   output_name(json), item->field, item->subject);
    return fingerprint_of_text(known, what);
}
