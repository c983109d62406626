/*
 * fuzz: what a fuzz target offers, to libFuzzer and to the replay alike.
 *
 * A target is NAME_fuzz.c; it aborts when something is wrong. Its inputs are in data/NAME.inputs, to which
 * `inputs add` adds.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
