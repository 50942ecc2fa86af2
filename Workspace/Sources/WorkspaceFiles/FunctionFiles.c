// Written by scripts/support/function_files.py --update.
#include "WorkspaceFiles.h"

static const unsigned char prelude_js[] = {
#embed "../../Functions/prelude.js"
};

static const unsigned char segment_compatible_function_js[] = {
#embed "../../Templates/destinations/segment-compatible/function.js"
};

static const unsigned char segment_compatible_vectors_json[] = {
#embed "../../Templates/destinations/segment-compatible/vectors.json"
};

static const struct workspace_file files[] = {
    {"prelude.js", prelude_js, sizeof prelude_js},
    {"segment-compatible/function.js", segment_compatible_function_js, sizeof segment_compatible_function_js},
    {"segment-compatible/vectors.json", segment_compatible_vectors_json, sizeof segment_compatible_vectors_json},
};

const struct workspace_file *workspace_function_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
