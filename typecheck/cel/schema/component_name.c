#include "typecheck/cel/schema/component_name.h"

bool component_name_split(struct str component, struct component_name *out)
{
    size_t dots[3], count = 0; /* behind the last three, from the end */
    for (size_t i = component.len; i > 0 && count < 3; i--) {
        if (component.at[i - 1] == '.')
            dots[count++] = i;
    }
    if (count < 3)
        return false;
    out->group = (struct str){component.at + dots[2], dots[1] - 1 - dots[2]};
    out->version = (struct str){component.at + dots[1], dots[0] - 1 - dots[1]};
    out->type = (struct str){component.at + dots[0], component.len - dots[0]};
    return true;
}
