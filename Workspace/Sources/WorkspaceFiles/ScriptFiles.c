// Written by scripts/support/script_files.py --update.
#include "WorkspaceFiles.h"

static const unsigned char prelude_js[] = {
#embed "../../Functions/prelude.js"
};

static const unsigned char destinations_adjust_function_js[] = {
#embed "../../Templates/destinations/adjust/function.js"
};

static const unsigned char destinations_adjust_vectors_json[] = {
#embed "../../Templates/destinations/adjust/vectors.json"
};

static const unsigned char destinations_amplitude_function_js[] = {
#embed "../../Templates/destinations/amplitude/function.js"
};

static const unsigned char destinations_amplitude_vectors_json[] = {
#embed "../../Templates/destinations/amplitude/vectors.json"
};

static const unsigned char destinations_appsflyer_function_js[] = {
#embed "../../Templates/destinations/appsflyer/function.js"
};

static const unsigned char destinations_appsflyer_vectors_json[] = {
#embed "../../Templates/destinations/appsflyer/vectors.json"
};

static const unsigned char destinations_braze_function_js[] = {
#embed "../../Templates/destinations/braze/function.js"
};

static const unsigned char destinations_braze_vectors_json[] = {
#embed "../../Templates/destinations/braze/vectors.json"
};

static const unsigned char destinations_customer_io_function_js[] = {
#embed "../../Templates/destinations/customer-io/function.js"
};

static const unsigned char destinations_customer_io_vectors_json[] = {
#embed "../../Templates/destinations/customer-io/vectors.json"
};

static const unsigned char destinations_discord_function_js[] = {
#embed "../../Templates/destinations/discord/function.js"
};

static const unsigned char destinations_discord_vectors_json[] = {
#embed "../../Templates/destinations/discord/vectors.json"
};

static const unsigned char destinations_ga4_function_js[] = {
#embed "../../Templates/destinations/ga4/function.js"
};

static const unsigned char destinations_ga4_vectors_json[] = {
#embed "../../Templates/destinations/ga4/vectors.json"
};

static const unsigned char destinations_hubspot_function_js[] = {
#embed "../../Templates/destinations/hubspot/function.js"
};

static const unsigned char destinations_hubspot_vectors_json[] = {
#embed "../../Templates/destinations/hubspot/vectors.json"
};

static const unsigned char destinations_intercom_function_js[] = {
#embed "../../Templates/destinations/intercom/function.js"
};

static const unsigned char destinations_intercom_vectors_json[] = {
#embed "../../Templates/destinations/intercom/vectors.json"
};

static const unsigned char destinations_iterable_function_js[] = {
#embed "../../Templates/destinations/iterable/function.js"
};

static const unsigned char destinations_iterable_vectors_json[] = {
#embed "../../Templates/destinations/iterable/vectors.json"
};

static const unsigned char destinations_klaviyo_function_js[] = {
#embed "../../Templates/destinations/klaviyo/function.js"
};

static const unsigned char destinations_klaviyo_vectors_json[] = {
#embed "../../Templates/destinations/klaviyo/vectors.json"
};

static const unsigned char destinations_meta_conversions_function_js[] = {
#embed "../../Templates/destinations/meta-conversions/function.js"
};

static const unsigned char destinations_meta_conversions_vectors_json[] = {
#embed "../../Templates/destinations/meta-conversions/vectors.json"
};

static const unsigned char destinations_mixpanel_function_js[] = {
#embed "../../Templates/destinations/mixpanel/function.js"
};

static const unsigned char destinations_mixpanel_vectors_json[] = {
#embed "../../Templates/destinations/mixpanel/vectors.json"
};

static const unsigned char destinations_onesignal_function_js[] = {
#embed "../../Templates/destinations/onesignal/function.js"
};

static const unsigned char destinations_onesignal_vectors_json[] = {
#embed "../../Templates/destinations/onesignal/vectors.json"
};

static const unsigned char destinations_otlp_logs_function_js[] = {
#embed "../../Templates/destinations/otlp-logs/function.js"
};

static const unsigned char destinations_otlp_logs_vectors_json[] = {
#embed "../../Templates/destinations/otlp-logs/vectors.json"
};

static const unsigned char destinations_posthog_function_js[] = {
#embed "../../Templates/destinations/posthog/function.js"
};

static const unsigned char destinations_posthog_vectors_json[] = {
#embed "../../Templates/destinations/posthog/vectors.json"
};

static const unsigned char destinations_segment_compatible_function_js[] = {
#embed "../../Templates/destinations/segment-compatible/function.js"
};

static const unsigned char destinations_segment_compatible_vectors_json[] = {
#embed "../../Templates/destinations/segment-compatible/vectors.json"
};

static const unsigned char destinations_slack_function_js[] = {
#embed "../../Templates/destinations/slack/function.js"
};

static const unsigned char destinations_slack_vectors_json[] = {
#embed "../../Templates/destinations/slack/vectors.json"
};

static const unsigned char destinations_snowplow_function_js[] = {
#embed "../../Templates/destinations/snowplow/function.js"
};

static const unsigned char destinations_snowplow_vectors_json[] = {
#embed "../../Templates/destinations/snowplow/vectors.json"
};

static const unsigned char destinations_tiktok_events_function_js[] = {
#embed "../../Templates/destinations/tiktok-events/function.js"
};

static const unsigned char destinations_tiktok_events_vectors_json[] = {
#embed "../../Templates/destinations/tiktok-events/vectors.json"
};

static const unsigned char sources_app_store_function_js[] = {
#embed "../../Templates/sources/app-store/function.js"
};

static const unsigned char sources_app_store_vectors_json[] = {
#embed "../../Templates/sources/app-store/vectors.json"
};

static const unsigned char sources_revenuecat_function_js[] = {
#embed "../../Templates/sources/revenuecat/function.js"
};

static const unsigned char sources_revenuecat_vectors_json[] = {
#embed "../../Templates/sources/revenuecat/vectors.json"
};

static const unsigned char sources_stripe_function_js[] = {
#embed "../../Templates/sources/stripe/function.js"
};

static const unsigned char sources_stripe_vectors_json[] = {
#embed "../../Templates/sources/stripe/vectors.json"
};

static const unsigned char plugins_bots_plugin_js[] = {
#embed "../../Templates/plugins/bots/plugin.js"
};

static const unsigned char plugins_bots_events_ndjson[] = {
#embed "../../Templates/plugins/bots/events.ndjson"
};

static const unsigned char plugins_browser_plugin_js[] = {
#embed "../../Templates/plugins/browser/plugin.js"
};

static const unsigned char plugins_browser_events_ndjson[] = {
#embed "../../Templates/plugins/browser/events.ndjson"
};

static const unsigned char plugins_campaign_plugin_js[] = {
#embed "../../Templates/plugins/campaign/plugin.js"
};

static const unsigned char plugins_campaign_events_ndjson[] = {
#embed "../../Templates/plugins/campaign/events.ndjson"
};

static const struct workspace_file files[] = {
    {"prelude.js", prelude_js, sizeof prelude_js},
    {"destinations/adjust/function.js", destinations_adjust_function_js, sizeof destinations_adjust_function_js},
    {"destinations/adjust/vectors.json", destinations_adjust_vectors_json, sizeof destinations_adjust_vectors_json},
    {"destinations/amplitude/function.js", destinations_amplitude_function_js, sizeof destinations_amplitude_function_js},
    {"destinations/amplitude/vectors.json", destinations_amplitude_vectors_json, sizeof destinations_amplitude_vectors_json},
    {"destinations/appsflyer/function.js", destinations_appsflyer_function_js, sizeof destinations_appsflyer_function_js},
    {"destinations/appsflyer/vectors.json", destinations_appsflyer_vectors_json, sizeof destinations_appsflyer_vectors_json},
    {"destinations/braze/function.js", destinations_braze_function_js, sizeof destinations_braze_function_js},
    {"destinations/braze/vectors.json", destinations_braze_vectors_json, sizeof destinations_braze_vectors_json},
    {"destinations/customer-io/function.js", destinations_customer_io_function_js, sizeof destinations_customer_io_function_js},
    {"destinations/customer-io/vectors.json", destinations_customer_io_vectors_json, sizeof destinations_customer_io_vectors_json},
    {"destinations/discord/function.js", destinations_discord_function_js, sizeof destinations_discord_function_js},
    {"destinations/discord/vectors.json", destinations_discord_vectors_json, sizeof destinations_discord_vectors_json},
    {"destinations/ga4/function.js", destinations_ga4_function_js, sizeof destinations_ga4_function_js},
    {"destinations/ga4/vectors.json", destinations_ga4_vectors_json, sizeof destinations_ga4_vectors_json},
    {"destinations/hubspot/function.js", destinations_hubspot_function_js, sizeof destinations_hubspot_function_js},
    {"destinations/hubspot/vectors.json", destinations_hubspot_vectors_json, sizeof destinations_hubspot_vectors_json},
    {"destinations/intercom/function.js", destinations_intercom_function_js, sizeof destinations_intercom_function_js},
    {"destinations/intercom/vectors.json", destinations_intercom_vectors_json, sizeof destinations_intercom_vectors_json},
    {"destinations/iterable/function.js", destinations_iterable_function_js, sizeof destinations_iterable_function_js},
    {"destinations/iterable/vectors.json", destinations_iterable_vectors_json, sizeof destinations_iterable_vectors_json},
    {"destinations/klaviyo/function.js", destinations_klaviyo_function_js, sizeof destinations_klaviyo_function_js},
    {"destinations/klaviyo/vectors.json", destinations_klaviyo_vectors_json, sizeof destinations_klaviyo_vectors_json},
    {"destinations/meta-conversions/function.js", destinations_meta_conversions_function_js, sizeof destinations_meta_conversions_function_js},
    {"destinations/meta-conversions/vectors.json", destinations_meta_conversions_vectors_json, sizeof destinations_meta_conversions_vectors_json},
    {"destinations/mixpanel/function.js", destinations_mixpanel_function_js, sizeof destinations_mixpanel_function_js},
    {"destinations/mixpanel/vectors.json", destinations_mixpanel_vectors_json, sizeof destinations_mixpanel_vectors_json},
    {"destinations/onesignal/function.js", destinations_onesignal_function_js, sizeof destinations_onesignal_function_js},
    {"destinations/onesignal/vectors.json", destinations_onesignal_vectors_json, sizeof destinations_onesignal_vectors_json},
    {"destinations/otlp-logs/function.js", destinations_otlp_logs_function_js, sizeof destinations_otlp_logs_function_js},
    {"destinations/otlp-logs/vectors.json", destinations_otlp_logs_vectors_json, sizeof destinations_otlp_logs_vectors_json},
    {"destinations/posthog/function.js", destinations_posthog_function_js, sizeof destinations_posthog_function_js},
    {"destinations/posthog/vectors.json", destinations_posthog_vectors_json, sizeof destinations_posthog_vectors_json},
    {"destinations/segment-compatible/function.js", destinations_segment_compatible_function_js, sizeof destinations_segment_compatible_function_js},
    {"destinations/segment-compatible/vectors.json", destinations_segment_compatible_vectors_json, sizeof destinations_segment_compatible_vectors_json},
    {"destinations/slack/function.js", destinations_slack_function_js, sizeof destinations_slack_function_js},
    {"destinations/slack/vectors.json", destinations_slack_vectors_json, sizeof destinations_slack_vectors_json},
    {"destinations/snowplow/function.js", destinations_snowplow_function_js, sizeof destinations_snowplow_function_js},
    {"destinations/snowplow/vectors.json", destinations_snowplow_vectors_json, sizeof destinations_snowplow_vectors_json},
    {"destinations/tiktok-events/function.js", destinations_tiktok_events_function_js, sizeof destinations_tiktok_events_function_js},
    {"destinations/tiktok-events/vectors.json", destinations_tiktok_events_vectors_json, sizeof destinations_tiktok_events_vectors_json},
    {"sources/app-store/function.js", sources_app_store_function_js, sizeof sources_app_store_function_js},
    {"sources/app-store/vectors.json", sources_app_store_vectors_json, sizeof sources_app_store_vectors_json},
    {"sources/revenuecat/function.js", sources_revenuecat_function_js, sizeof sources_revenuecat_function_js},
    {"sources/revenuecat/vectors.json", sources_revenuecat_vectors_json, sizeof sources_revenuecat_vectors_json},
    {"sources/stripe/function.js", sources_stripe_function_js, sizeof sources_stripe_function_js},
    {"sources/stripe/vectors.json", sources_stripe_vectors_json, sizeof sources_stripe_vectors_json},
    {"plugins/bots/plugin.js", plugins_bots_plugin_js, sizeof plugins_bots_plugin_js},
    {"plugins/bots/events.ndjson", plugins_bots_events_ndjson, sizeof plugins_bots_events_ndjson},
    {"plugins/browser/plugin.js", plugins_browser_plugin_js, sizeof plugins_browser_plugin_js},
    {"plugins/browser/events.ndjson", plugins_browser_events_ndjson, sizeof plugins_browser_events_ndjson},
    {"plugins/campaign/plugin.js", plugins_campaign_plugin_js, sizeof plugins_campaign_plugin_js},
    {"plugins/campaign/events.ndjson", plugins_campaign_events_ndjson, sizeof plugins_campaign_events_ndjson},
};

const struct workspace_file *workspace_script_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
