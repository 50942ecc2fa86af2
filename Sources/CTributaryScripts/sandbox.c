// The compiler reads the files itself, and builds this file again when one of them changes. A resource bundle of the
// package manager would end the process when its folder is missing.
#include "CTributaryScripts.h"

// #embed belongs to C23; the other C here keeps to the compiler's own standard.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guards_js[] = {
#embed "../TributaryScript/JavaScript/guards.js" suffix(, 0)
};

static const unsigned char limits_js[] = {
#embed "../TributaryScript/JavaScript/limits.js" suffix(, 0)
};

static const unsigned char lists_js[] = {
#embed "../TributaryScript/JavaScript/lists.js" suffix(, 0)
};

static const unsigned char buffers_js[] = {
#embed "../TributaryScript/JavaScript/buffers.js" suffix(, 0)
};

static const unsigned char texts_js[] = {
#embed "../TributaryScript/JavaScript/texts.js" suffix(, 0)
};

static const unsigned char json_js[] = {
#embed "../TributaryScript/JavaScript/json.js" suffix(, 0)
};

static const unsigned char expressions_js[] = {
#embed "../TributaryScript/JavaScript/expressions.js" suffix(, 0)
};

static const unsigned char console_js[] = {
#embed "../TributaryScript/JavaScript/console.js" suffix(, 0)
};

static const unsigned char encodings_js[] = {
#embed "../TributaryScript/JavaScript/encodings.js" suffix(, 0)
};

static const unsigned char sandbox_js[] = {
#embed "../TributaryScript/JavaScript/sandbox.js" suffix(, 0)
};

#define SCRIPT_NAMED(name, text) {name, (const char *)text}

static const struct tributary_script scripts[] = {
    SCRIPT_NAMED("guards.js", guards_js),
    SCRIPT_NAMED("limits.js", limits_js),
    SCRIPT_NAMED("lists.js", lists_js),
    SCRIPT_NAMED("buffers.js", buffers_js),
    SCRIPT_NAMED("texts.js", texts_js),
    SCRIPT_NAMED("json.js", json_js),
    SCRIPT_NAMED("expressions.js", expressions_js),
    SCRIPT_NAMED("console.js", console_js),
    SCRIPT_NAMED("encodings.js", encodings_js),
    SCRIPT_NAMED("sandbox.js", sandbox_js),
};

const struct tributary_script *tributary_sandbox_scripts(size_t *count) {
    *count = sizeof scripts / sizeof scripts[0];
    return scripts;
}
