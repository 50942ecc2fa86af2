// The compiler reads the files itself, and builds this file again when one of them changes. A resource bundle of the
// package manager would end the process when its folder is missing.
#include "CTributaryScripts.h"

// #embed belongs to C23; the other C here keeps to the compiler's own standard.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char runtime_js[] = {
#embed "../AnalyticsLive/JavaScript/runtime.js" suffix(, 0)
};

static const unsigned char plugins_js[] = {
#embed "../AnalyticsLive/JavaScript/plugins.js" suffix(, 0)
};

static const unsigned char analytics_js[] = {
#embed "../AnalyticsLive/JavaScript/analytics.js" suffix(, 0)
};

static const unsigned char storage_js[] = {
#embed "../AnalyticsLive/JavaScript/storage.js" suffix(, 0)
};

static const unsigned char stages_js[] = {
#embed "../AnalyticsLive/JavaScript/stages.js" suffix(, 0)
};

static const unsigned char signals_js[] = {
#embed "../AnalyticsLive/JavaScript/signals.js" suffix(, 0)
};

static const unsigned char review_js[] = {
#embed "../AnalyticsLive/JavaScript/review.js" suffix(, 0)
};

static const unsigned char liveplugins_d_ts[] = {
#embed "../AnalyticsLive/JavaScript/liveplugins.d.ts" suffix(, 0)
};

#define SCRIPT_NAMED(name, text) {name, (const char *)text}

static const struct tributary_script scripts[] = {
    SCRIPT_NAMED("runtime.js", runtime_js),
    SCRIPT_NAMED("plugins.js", plugins_js),
    SCRIPT_NAMED("analytics.js", analytics_js),
    SCRIPT_NAMED("storage.js", storage_js),
    SCRIPT_NAMED("stages.js", stages_js),
    SCRIPT_NAMED("signals.js", signals_js),
};

const struct tributary_script *tributary_live_plugin_scripts(size_t *count) {
    *count = sizeof scripts / sizeof scripts[0];
    return scripts;
}

struct tributary_script tributary_live_plugin_review(void) {
    return (struct tributary_script)SCRIPT_NAMED("review.js", review_js);
}

const char *tributary_live_plugin_types(void) {
    return (const char *)liveplugins_d_ts;
}
