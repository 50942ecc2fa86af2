#include <stddef.h>
#include <stdint.h>

/// The loop of libFuzzer, which comes with the compiler: it is linked by `-sanitize=fuzzer`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
