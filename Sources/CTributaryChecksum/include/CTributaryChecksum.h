#ifndef TRIBUTARY_CHECKSUM_H
#define TRIBUTARY_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Not 0 when this processor has an instruction for CRC-32C; only then may the other two be called.
int tributary_has_crc32c(void);

/// The state of a checksum after those bytes. The caller inverts it, before the first and after the last.
uint32_t tributary_crc32c(uint32_t state, const void *bytes, size_t count);

/// The state of a checksum after the eight bytes of a number, lowest first.
uint32_t tributary_crc32c_word(uint32_t state, uint64_t word);

#endif
