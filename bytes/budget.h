/*
 * budget: a budget of work, in steps, from which each part of the work pays.
 *
 *     budget_pay(&left, steps);
 */
#ifndef BYTES_BUDGET_H
#define BYTES_BUDGET_H

#include <stdint.h>

/* Subtracts what was spent. Of work that spent more than was left, nothing is left. */
static inline void budget_pay(uint64_t *left, uint64_t spent)
{
    *left -= spent < *left ? spent : *left;
}

#endif
