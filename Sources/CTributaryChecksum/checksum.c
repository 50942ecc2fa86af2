#include "CTributaryChecksum.h"

// Swift cannot name the instruction, and the oldest processors that the client supports do not have it. The compiler's builtins
// are called directly: with modules, as in Apple's builds, the functions of the intrinsics' headers have other features.

#if defined(__x86_64__)

#include <cpuid.h>

#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define CRC_OF_WORD(state, word) ((uint32_t)__builtin_ia32_crc32di((state), (word)))
#define CRC_OF_BYTE(state, byte) __builtin_ia32_crc32qi((state), (byte))

int tributary_has_crc32c(void) {
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

#elif defined(__aarch64__)

#define WITH_INSTRUCTION __attribute__((target("crc")))
#define CRC_OF_WORD(state, word) __builtin_arm_crc32cd((state), (word))
#define CRC_OF_BYTE(state, byte) __builtin_arm_crc32cb((state), (byte))

#if defined(__APPLE__)

#include <sys/sysctl.h>

int tributary_has_crc32c(void) {
    int has = 0;
    size_t size = sizeof(has);
    return sysctlbyname("hw.optional.armv8_crc32", &has, &size, NULL, 0) == 0 && has;
}

#elif defined(__linux__)

#include <asm/hwcap.h>
#include <sys/auxv.h>

int tributary_has_crc32c(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

#else

int tributary_has_crc32c(void) { return 0; }

#endif

#else

#define WITH_INSTRUCTION
#define CRC_OF_WORD(state, word) ((void)(word), (state))
#define CRC_OF_BYTE(state, byte) ((void)(byte), (state))

int tributary_has_crc32c(void) { return 0; }

#endif

WITH_INSTRUCTION
uint32_t tributary_crc32c(uint32_t state, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    for (; count >= 8; next += 8, count -= 8) {
        uint64_t word;
        __builtin_memcpy(&word, next, 8);
        state = CRC_OF_WORD(state, word);
    }
    for (; count > 0; next += 1, count -= 1) { state = CRC_OF_BYTE(state, *next); }
    return state;
}

WITH_INSTRUCTION
uint32_t tributary_crc32c_word(uint32_t state, uint64_t word) { return CRC_OF_WORD(state, word); }
