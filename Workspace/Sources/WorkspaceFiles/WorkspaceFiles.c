// The compiler reads the files itself, and builds this file again when one of them changes. A resource bundle of the
// package manager would end the process when its folder is missing.
#include "WorkspaceFiles.h"

static const unsigned char access_place_js[] = {
#embed "../../Page/access-place.js"
};

static const unsigned char audit_place_js[] = {
#embed "../../Page/audit-place.js"
};

static const unsigned char base_css[] = {
#embed "../../Page/base.css"
};

static const unsigned char breakdown_js[] = {
#embed "../../Page/breakdown.js"
};

static const unsigned char capture_form_js[] = {
#embed "../../Page/capture-form.js"
};

static const unsigned char catalog_css[] = {
#embed "../../Page/catalog.css"
};

static const unsigned char catalog_entry_js[] = {
#embed "../../Page/catalog-entry.js"
};

static const unsigned char catalog_place_js[] = {
#embed "../../Page/catalog-place.js"
};

static const unsigned char categories_field_js[] = {
#embed "../../Page/categories-field.js"
};

static const unsigned char chart_js[] = {
#embed "../../Page/chart.js"
};

static const unsigned char cluster_place_js[] = {
#embed "../../Page/cluster-place.js"
};

static const unsigned char cluster_css[] = {
#embed "../../Page/cluster.css"
};

static const unsigned char colours_css[] = {
#embed "../../Page/colours.css"
};

static const unsigned char completions_js[] = {
#embed "../../Page/completions.js"
};

static const unsigned char data_css[] = {
#embed "../../Page/data.css"
};

static const unsigned char deployment_js[] = {
#embed "../../Page/deployment.js"
};

static const unsigned char destinations_place_js[] = {
#embed "../../Page/destinations-place.js"
};

static const unsigned char details_js[] = {
#embed "../../Page/details.js"
};

static const unsigned char diff_js[] = {
#embed "../../Page/diff.js"
};

static const unsigned char draft_js[] = {
#embed "../../Page/draft.js"
};

static const unsigned char dry_run_js[] = {
#embed "../../Page/dry-run.js"
};

static const unsigned char editor_css[] = {
#embed "../../Page/editor.css"
};

static const unsigned char editor_js[] = {
#embed "../../Page/editor.js"
};

static const unsigned char elements_js[] = {
#embed "../../Page/elements.js"
};

static const unsigned char erasure_js[] = {
#embed "../../Page/erasure.js"
};

static const unsigned char events_js[] = {
#embed "../../Page/events.js"
};

static const unsigned char explore_place_js[] = {
#embed "../../Page/explore-place.js"
};

static const unsigned char figures_js[] = {
#embed "../../Page/figures.js"
};

static const unsigned char filter_health_js[] = {
#embed "../../Page/filter-health.js"
};
static const unsigned char filters_place_js[] = {
#embed "../../Page/filters-place.js"
};

static const unsigned char header_css[] = {
#embed "../../Page/header.css"
};

static const unsigned char icon_svg[] = {
#embed "../../Page/icon.svg"
};

static const unsigned char index_html[] = {
#embed "../../Page/index.html"
};

static const unsigned char json_js[] = {
#embed "../../Page/json.js"
};

static const unsigned char libraries_js[] = {
#embed "../../Page/libraries.js"
};

static const unsigned char limits_js[] = {
#embed "../../Page/limits.js"
};

static const unsigned char line_chart_js[] = {
#embed "../../Page/line-chart.js"
};

static const unsigned char list_css[] = {
#embed "../../Page/list.css"
};

static const unsigned char list_js[] = {
#embed "../../Page/list.js"
};

static const unsigned char liveplugins_d_ts[] = {
#embed "../../../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts"
};

static const unsigned char lists_js[] = {
#embed "../../Page/lists.js"
};

static const unsigned char live_table_js[] = {
#embed "../../Page/live-table.js"
};

static const unsigned char login_css[] = {
#embed "../../Page/login.css"
};

static const unsigned char login_html[] = {
#embed "../../Page/login.html"
};

static const unsigned char login_js[] = {
#embed "../../Page/login.js"
};

static const unsigned char losses_js[] = {
#embed "../../Page/losses.js"
};

static const unsigned char narrow_css[] = {
#embed "../../Page/narrow.css"
};

static const unsigned char notices_js[] = {
#embed "../../Page/notices.js"
};

static const unsigned char object_form_js[] = {
#embed "../../Page/object-form.js"
};

static const unsigned char only_js[] = {
#embed "../../Page/only.js"
};

static const unsigned char page_js[] = {
#embed "../../Page/page.js"
};

static const unsigned char panel_css[] = {
#embed "../../Page/panel.css"
};

static const unsigned char panel_js[] = {
#embed "../../Page/panel.js"
};

static const unsigned char parts_js[] = {
#embed "../../Page/parts.js"
};

static const unsigned char path_js[] = {
#embed "../../Page/path.js"
};

static const unsigned char people_place_js[] = {
#embed "../../Page/people-place.js"
};

static const unsigned char person_js[] = {
#embed "../../Page/person.js"
};

static const unsigned char place_css[] = {
#embed "../../Page/place.css"
};

static const unsigned char place_html[] = {
#embed "../../Page/place.html"
};

static const unsigned char place_js[] = {
#embed "../../Page/place.js"
};

static const unsigned char places_css[] = {
#embed "../../Page/places.css"
};

static const unsigned char places_js[] = {
#embed "../../Page/places.js"
};

static const unsigned char plan_js[] = {
#embed "../../Page/plan.js"
};

static const unsigned char plan_part_js[] = {
#embed "../../Page/plan-part.js"
};

static const unsigned char plugin_health_js[] = {
#embed "../../Page/plugin-health.js"
};

static const unsigned char plugins_place_js[] = {
#embed "../../Page/plugins-place.js"
};

static const unsigned char problems_place_js[] = {
#embed "../../Page/problems-place.js"
};

static const unsigned char property_counts_js[] = {
#embed "../../Page/property-counts.js"
};

static const unsigned char rollout_js[] = {
#embed "../../Page/rollout.js"
};

static const unsigned char rule_findings_js[] = {
#embed "../../Page/rule-findings.js"
};

static const unsigned char rule_form_js[] = {
#embed "../../Page/rule-form.js"
};

static const unsigned char rules_js[] = {
#embed "../../Page/rules.js"
};

static const unsigned char series_js[] = {
#embed "../../Page/series.js"
};

static const unsigned char sessions_js[] = {
#embed "../../Page/sessions.js"
};

static const unsigned char signals_place_js[] = {
#embed "../../Page/signals-place.js"
};

static const unsigned char sources_place_js[] = {
#embed "../../Page/sources-place.js"
};

static const unsigned char starts_js[] = {
#embed "../../Page/starts.js"
};

static const unsigned char suppression_js[] = {
#embed "../../Page/suppression.js"
};

static const unsigned char text_js[] = {
#embed "../../Page/text.js"
};

static const unsigned char timeline_js[] = {
#embed "../../Page/timeline.js"
};

static const unsigned char touches_js[] = {
#embed "../../Page/touches.js"
};

static const unsigned char trial_js[] = {
#embed "../../Page/trial.js"
};

static const unsigned char ways_js[] = {
#embed "../../Page/ways.js"
};

static const unsigned char webhook_form_js[] = {
#embed "../../Page/webhook-form.js"
};

static const unsigned char workspace_js[] = {
#embed "../../Page/workspace.js"
};

static const unsigned char openapi_json[] = {
#embed "../../OpenAPI/openapi.json"
};

#define FILE_NAMED(name, array) { name, array, sizeof array }

static const struct workspace_file files[] = {
    FILE_NAMED("access-place.js", access_place_js),
    FILE_NAMED("audit-place.js", audit_place_js),
    FILE_NAMED("base.css", base_css),
    FILE_NAMED("breakdown.js", breakdown_js),
    FILE_NAMED("capture-form.js", capture_form_js),
    FILE_NAMED("catalog-entry.js", catalog_entry_js),
    FILE_NAMED("catalog.css", catalog_css),
    FILE_NAMED("catalog-place.js", catalog_place_js),
    FILE_NAMED("categories-field.js", categories_field_js),
    FILE_NAMED("chart.js", chart_js),
    FILE_NAMED("cluster-place.js", cluster_place_js),
    FILE_NAMED("cluster.css", cluster_css),
    FILE_NAMED("colours.css", colours_css),
    FILE_NAMED("completions.js", completions_js),
    FILE_NAMED("data.css", data_css),
    FILE_NAMED("deployment.js", deployment_js),
    FILE_NAMED("destinations-place.js", destinations_place_js),
    FILE_NAMED("details.js", details_js),
    FILE_NAMED("diff.js", diff_js),
    FILE_NAMED("draft.js", draft_js),
    FILE_NAMED("dry-run.js", dry_run_js),
    FILE_NAMED("editor.css", editor_css),
    FILE_NAMED("editor.js", editor_js),
    FILE_NAMED("elements.js", elements_js),
    FILE_NAMED("erasure.js", erasure_js),
    FILE_NAMED("events.js", events_js),
    FILE_NAMED("explore-place.js", explore_place_js),
    FILE_NAMED("figures.js", figures_js),
    FILE_NAMED("filter-health.js", filter_health_js),
    FILE_NAMED("filters-place.js", filters_place_js),
    FILE_NAMED("header.css", header_css),
    FILE_NAMED("icon.svg", icon_svg),
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("json.js", json_js),
    FILE_NAMED("libraries.js", libraries_js),
    FILE_NAMED("limits.js", limits_js),
    FILE_NAMED("line-chart.js", line_chart_js),
    FILE_NAMED("list.css", list_css),
    FILE_NAMED("list.js", list_js),
    FILE_NAMED("liveplugins.d.ts", liveplugins_d_ts),
    FILE_NAMED("lists.js", lists_js),
    FILE_NAMED("live-table.js", live_table_js),
    FILE_NAMED("login.css", login_css),
    FILE_NAMED("login.html", login_html),
    FILE_NAMED("login.js", login_js),
    FILE_NAMED("losses.js", losses_js),
    FILE_NAMED("narrow.css", narrow_css),
    FILE_NAMED("notices.js", notices_js),
    FILE_NAMED("object-form.js", object_form_js),
    FILE_NAMED("only.js", only_js),
    FILE_NAMED("page.js", page_js),
    FILE_NAMED("panel.css", panel_css),
    FILE_NAMED("panel.js", panel_js),
    FILE_NAMED("parts.js", parts_js),
    FILE_NAMED("path.js", path_js),
    FILE_NAMED("people-place.js", people_place_js),
    FILE_NAMED("person.js", person_js),
    FILE_NAMED("place.css", place_css),
    FILE_NAMED("place.html", place_html),
    FILE_NAMED("place.js", place_js),
    FILE_NAMED("places.css", places_css),
    FILE_NAMED("places.js", places_js),
    FILE_NAMED("plan-part.js", plan_part_js),
    FILE_NAMED("plan.js", plan_js),
    FILE_NAMED("plugin-health.js", plugin_health_js),
    FILE_NAMED("plugins-place.js", plugins_place_js),
    FILE_NAMED("problems-place.js", problems_place_js),
    FILE_NAMED("property-counts.js", property_counts_js),
    FILE_NAMED("rollout.js", rollout_js),
    FILE_NAMED("rule-findings.js", rule_findings_js),
    FILE_NAMED("rule-form.js", rule_form_js),
    FILE_NAMED("rules.js", rules_js),
    FILE_NAMED("series.js", series_js),
    FILE_NAMED("sessions.js", sessions_js),
    FILE_NAMED("signals-place.js", signals_place_js),
    FILE_NAMED("sources-place.js", sources_place_js),
    FILE_NAMED("starts.js", starts_js),
    FILE_NAMED("suppression.js", suppression_js),
    FILE_NAMED("text.js", text_js),
    FILE_NAMED("timeline.js", timeline_js),
    FILE_NAMED("touches.js", touches_js),
    FILE_NAMED("trial.js", trial_js),
    FILE_NAMED("ways.js", ways_js),
    FILE_NAMED("webhook-form.js", webhook_form_js),
    FILE_NAMED("workspace.js", workspace_js),
    FILE_NAMED("openapi.json", openapi_json),
};

const struct workspace_file *workspace_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
