#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file that is part of the program.
struct workspace_file {
    /// Its path in its folder, such as `Workspace/Page`.
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// Every file of `Workspace/Page` and `Workspace/OpenAPI`. They live as long as the process.
const struct workspace_file *workspace_files(size_t *count);

/// The script that destination functions find there, `prelude.js`, and the files of `Workspace/Templates` by their paths in that
/// folder. They live as long as the process.
const struct workspace_file *workspace_script_files(size_t *count);

#pragma clang assume_nonnull end
