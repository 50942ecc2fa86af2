// Written by scripts/support/function_files.py --update.
#include "WorkspaceFiles.h"

static const unsigned char prelude_js[] = {
#embed "../../Functions/prelude.js"
};

static const unsigned char adjust_function_js[] = {
#embed "../../Templates/destinations/adjust/function.js"
};

static const unsigned char adjust_vectors_json[] = {
#embed "../../Templates/destinations/adjust/vectors.json"
};

static const unsigned char amplitude_function_js[] = {
#embed "../../Templates/destinations/amplitude/function.js"
};

static const unsigned char amplitude_vectors_json[] = {
#embed "../../Templates/destinations/amplitude/vectors.json"
};

static const unsigned char appsflyer_function_js[] = {
#embed "../../Templates/destinations/appsflyer/function.js"
};

static const unsigned char appsflyer_vectors_json[] = {
#embed "../../Templates/destinations/appsflyer/vectors.json"
};

static const unsigned char braze_function_js[] = {
#embed "../../Templates/destinations/braze/function.js"
};

static const unsigned char braze_vectors_json[] = {
#embed "../../Templates/destinations/braze/vectors.json"
};

static const unsigned char customer_io_function_js[] = {
#embed "../../Templates/destinations/customer-io/function.js"
};

static const unsigned char customer_io_vectors_json[] = {
#embed "../../Templates/destinations/customer-io/vectors.json"
};

static const unsigned char discord_function_js[] = {
#embed "../../Templates/destinations/discord/function.js"
};

static const unsigned char discord_vectors_json[] = {
#embed "../../Templates/destinations/discord/vectors.json"
};

static const unsigned char ga4_function_js[] = {
#embed "../../Templates/destinations/ga4/function.js"
};

static const unsigned char ga4_vectors_json[] = {
#embed "../../Templates/destinations/ga4/vectors.json"
};

static const unsigned char hubspot_function_js[] = {
#embed "../../Templates/destinations/hubspot/function.js"
};

static const unsigned char hubspot_vectors_json[] = {
#embed "../../Templates/destinations/hubspot/vectors.json"
};

static const unsigned char intercom_function_js[] = {
#embed "../../Templates/destinations/intercom/function.js"
};

static const unsigned char intercom_vectors_json[] = {
#embed "../../Templates/destinations/intercom/vectors.json"
};

static const unsigned char iterable_function_js[] = {
#embed "../../Templates/destinations/iterable/function.js"
};

static const unsigned char iterable_vectors_json[] = {
#embed "../../Templates/destinations/iterable/vectors.json"
};

static const unsigned char klaviyo_function_js[] = {
#embed "../../Templates/destinations/klaviyo/function.js"
};

static const unsigned char klaviyo_vectors_json[] = {
#embed "../../Templates/destinations/klaviyo/vectors.json"
};

static const unsigned char meta_conversions_function_js[] = {
#embed "../../Templates/destinations/meta-conversions/function.js"
};

static const unsigned char meta_conversions_vectors_json[] = {
#embed "../../Templates/destinations/meta-conversions/vectors.json"
};

static const unsigned char mixpanel_function_js[] = {
#embed "../../Templates/destinations/mixpanel/function.js"
};

static const unsigned char mixpanel_vectors_json[] = {
#embed "../../Templates/destinations/mixpanel/vectors.json"
};

static const unsigned char onesignal_function_js[] = {
#embed "../../Templates/destinations/onesignal/function.js"
};

static const unsigned char onesignal_vectors_json[] = {
#embed "../../Templates/destinations/onesignal/vectors.json"
};

static const unsigned char otlp_logs_function_js[] = {
#embed "../../Templates/destinations/otlp-logs/function.js"
};

static const unsigned char otlp_logs_vectors_json[] = {
#embed "../../Templates/destinations/otlp-logs/vectors.json"
};

static const unsigned char posthog_function_js[] = {
#embed "../../Templates/destinations/posthog/function.js"
};

static const unsigned char posthog_vectors_json[] = {
#embed "../../Templates/destinations/posthog/vectors.json"
};

static const unsigned char segment_compatible_function_js[] = {
#embed "../../Templates/destinations/segment-compatible/function.js"
};

static const unsigned char segment_compatible_vectors_json[] = {
#embed "../../Templates/destinations/segment-compatible/vectors.json"
};

static const unsigned char slack_function_js[] = {
#embed "../../Templates/destinations/slack/function.js"
};

static const unsigned char slack_vectors_json[] = {
#embed "../../Templates/destinations/slack/vectors.json"
};

static const unsigned char snowplow_function_js[] = {
#embed "../../Templates/destinations/snowplow/function.js"
};

static const unsigned char snowplow_vectors_json[] = {
#embed "../../Templates/destinations/snowplow/vectors.json"
};

static const unsigned char tiktok_events_function_js[] = {
#embed "../../Templates/destinations/tiktok-events/function.js"
};

static const unsigned char tiktok_events_vectors_json[] = {
#embed "../../Templates/destinations/tiktok-events/vectors.json"
};

static const struct workspace_file files[] = {
    {"prelude.js", prelude_js, sizeof prelude_js},
    {"adjust/function.js", adjust_function_js, sizeof adjust_function_js},
    {"adjust/vectors.json", adjust_vectors_json, sizeof adjust_vectors_json},
    {"amplitude/function.js", amplitude_function_js, sizeof amplitude_function_js},
    {"amplitude/vectors.json", amplitude_vectors_json, sizeof amplitude_vectors_json},
    {"appsflyer/function.js", appsflyer_function_js, sizeof appsflyer_function_js},
    {"appsflyer/vectors.json", appsflyer_vectors_json, sizeof appsflyer_vectors_json},
    {"braze/function.js", braze_function_js, sizeof braze_function_js},
    {"braze/vectors.json", braze_vectors_json, sizeof braze_vectors_json},
    {"customer-io/function.js", customer_io_function_js, sizeof customer_io_function_js},
    {"customer-io/vectors.json", customer_io_vectors_json, sizeof customer_io_vectors_json},
    {"discord/function.js", discord_function_js, sizeof discord_function_js},
    {"discord/vectors.json", discord_vectors_json, sizeof discord_vectors_json},
    {"ga4/function.js", ga4_function_js, sizeof ga4_function_js},
    {"ga4/vectors.json", ga4_vectors_json, sizeof ga4_vectors_json},
    {"hubspot/function.js", hubspot_function_js, sizeof hubspot_function_js},
    {"hubspot/vectors.json", hubspot_vectors_json, sizeof hubspot_vectors_json},
    {"intercom/function.js", intercom_function_js, sizeof intercom_function_js},
    {"intercom/vectors.json", intercom_vectors_json, sizeof intercom_vectors_json},
    {"iterable/function.js", iterable_function_js, sizeof iterable_function_js},
    {"iterable/vectors.json", iterable_vectors_json, sizeof iterable_vectors_json},
    {"klaviyo/function.js", klaviyo_function_js, sizeof klaviyo_function_js},
    {"klaviyo/vectors.json", klaviyo_vectors_json, sizeof klaviyo_vectors_json},
    {"meta-conversions/function.js", meta_conversions_function_js, sizeof meta_conversions_function_js},
    {"meta-conversions/vectors.json", meta_conversions_vectors_json, sizeof meta_conversions_vectors_json},
    {"mixpanel/function.js", mixpanel_function_js, sizeof mixpanel_function_js},
    {"mixpanel/vectors.json", mixpanel_vectors_json, sizeof mixpanel_vectors_json},
    {"onesignal/function.js", onesignal_function_js, sizeof onesignal_function_js},
    {"onesignal/vectors.json", onesignal_vectors_json, sizeof onesignal_vectors_json},
    {"otlp-logs/function.js", otlp_logs_function_js, sizeof otlp_logs_function_js},
    {"otlp-logs/vectors.json", otlp_logs_vectors_json, sizeof otlp_logs_vectors_json},
    {"posthog/function.js", posthog_function_js, sizeof posthog_function_js},
    {"posthog/vectors.json", posthog_vectors_json, sizeof posthog_vectors_json},
    {"segment-compatible/function.js", segment_compatible_function_js, sizeof segment_compatible_function_js},
    {"segment-compatible/vectors.json", segment_compatible_vectors_json, sizeof segment_compatible_vectors_json},
    {"slack/function.js", slack_function_js, sizeof slack_function_js},
    {"slack/vectors.json", slack_vectors_json, sizeof slack_vectors_json},
    {"snowplow/function.js", snowplow_function_js, sizeof snowplow_function_js},
    {"snowplow/vectors.json", snowplow_vectors_json, sizeof snowplow_vectors_json},
    {"tiktok-events/function.js", tiktok_events_function_js, sizeof tiktok_events_function_js},
    {"tiktok-events/vectors.json", tiktok_events_vectors_json, sizeof tiktok_events_vectors_json},
};

const struct workspace_file *workspace_function_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
