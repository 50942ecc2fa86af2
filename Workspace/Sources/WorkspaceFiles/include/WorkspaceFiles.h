#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file that is part of the program.
struct workspace_file {
    /// Its path in `Workspace/Page`.
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// Every file of `Workspace/Page` and `Workspace/OpenAPI`. They live as long as the process.
const struct workspace_file *workspace_files(size_t *count);

#pragma clang assume_nonnull end
