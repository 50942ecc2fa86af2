#include "CTributaryFiles.h"

#include <fcntl.h>
#include <sys/stat.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

int tributary_open(const char *path, int flags, unsigned int mode) {
#if defined(__APPLE__) && TARGET_OS_IPHONE && !TARGET_OS_SIMULATOR
    // NSFileProtectionCompleteUntilFirstUserAuthentication.
    const int until_first_unlock = 3;
    return open_dprotected_np(path, flags, until_first_unlock, 0, (mode_t)mode);
#else
    return open(path, flags, (mode_t)mode);
#endif
}
