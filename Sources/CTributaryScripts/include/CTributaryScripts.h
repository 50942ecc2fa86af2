#ifndef TRIBUTARY_SCRIPTS_H
#define TRIBUTARY_SCRIPTS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

// A JavaScript file that is part of the program. Name and text live as long as the process.
struct tributary_script {
    const char *name;
    const char *text;
};

// The files of TributaryScript/JavaScript, in the order in which they run: each may use those before it.
const struct tributary_script *tributary_sandbox_scripts(size_t *count);

// The files of AnalyticsLive/JavaScript, in the order in which they run.
const struct tributary_script *tributary_live_plugin_scripts(size_t *count);

// AnalyticsLive/JavaScript/review.js, which only a review of a bundle runs, after the files above.
struct tributary_script tributary_live_plugin_review(void);

// The types for the authors of live plugins: AnalyticsLive/JavaScript/liveplugins.d.ts.
const char *tributary_live_plugin_types(void);

#pragma clang assume_nonnull end

#endif
