// The compiler reads the files itself, and builds this file again when one of them changes. A resource bundle of the
// package manager would end the process when its folder is missing.
#include "WorkspaceFiles.h"

static const unsigned char index_html[] = {
#embed "../../Page/index.html"
};

static const unsigned char login_html[] = {
#embed "../../Page/login.html"
};

static const unsigned char shared_html[] = {
#embed "../../Page/shared.html"
};

static const unsigned char api_breakdown_js[] = {
#embed "../../Page/api/breakdown.js"
};

static const unsigned char api_conditions_js[] = {
#embed "../../Page/api/conditions.js"
};

static const unsigned char api_json_js[] = {
#embed "../../Page/api/json.js"
};

static const unsigned char api_libraries_js[] = {
#embed "../../Page/api/libraries.js"
};

static const unsigned char api_limits_js[] = {
#embed "../../Page/api/limits.js"
};

static const unsigned char api_lists_js[] = {
#embed "../../Page/api/lists.js"
};

static const unsigned char api_presence_js[] = {
#embed "../../Page/api/presence.js"
};

static const unsigned char api_workspace_js[] = {
#embed "../../Page/api/workspace.js"
};

static const unsigned char catalog_catalog_entry_js[] = {
#embed "../../Page/catalog/catalog-entry.js"
};

static const unsigned char catalog_plan_form_js[] = {
#embed "../../Page/catalog/plan-form.js"
};

static const unsigned char catalog_plan_import_js[] = {
#embed "../../Page/catalog/plan-import.js"
};

static const unsigned char catalog_plan_part_js[] = {
#embed "../../Page/catalog/plan-part.js"
};

static const unsigned char catalog_plan_js[] = {
#embed "../../Page/catalog/plan.js"
};

static const unsigned char catalog_planned_event_js[] = {
#embed "../../Page/catalog/planned-event.js"
};

static const unsigned char charts_chart_js[] = {
#embed "../../Page/charts/chart.js"
};

static const unsigned char charts_figures_js[] = {
#embed "../../Page/charts/figures.js"
};

static const unsigned char charts_funnel_counts_js[] = {
#embed "../../Page/charts/funnel-counts.js"
};

static const unsigned char charts_line_chart_js[] = {
#embed "../../Page/charts/line-chart.js"
};

static const unsigned char charts_measure_js[] = {
#embed "../../Page/charts/measure.js"
};

static const unsigned char charts_people_counts_js[] = {
#embed "../../Page/charts/people-counts.js"
};

static const unsigned char charts_property_counts_js[] = {
#embed "../../Page/charts/property-counts.js"
};

static const unsigned char charts_retention_counts_js[] = {
#embed "../../Page/charts/retention-counts.js"
};

static const unsigned char charts_search_progress_js[] = {
#embed "../../Page/charts/search-progress.js"
};

static const unsigned char charts_series_js[] = {
#embed "../../Page/charts/series.js"
};

static const unsigned char charts_sql_answer_js[] = {
#embed "../../Page/charts/sql-answer.js"
};

static const unsigned char charts_table_list_js[] = {
#embed "../../Page/charts/table-list.js"
};

static const unsigned char events_deployment_js[] = {
#embed "../../Page/events/deployment.js"
};

static const unsigned char events_events_js[] = {
#embed "../../Page/events/events.js"
};

static const unsigned char events_first_event_js[] = {
#embed "../../Page/events/first-event.js"
};

static const unsigned char events_list_js[] = {
#embed "../../Page/events/list.js"
};

static const unsigned char events_named_js[] = {
#embed "../../Page/events/named.js"
};

static const unsigned char events_notices_js[] = {
#embed "../../Page/events/notices.js"
};

static const unsigned char events_only_js[] = {
#embed "../../Page/events/only.js"
};

static const unsigned char events_panel_js[] = {
#embed "../../Page/events/panel.js"
};

static const unsigned char events_path_js[] = {
#embed "../../Page/events/path.js"
};

static const unsigned char events_planned_js[] = {
#embed "../../Page/events/planned.js"
};

static const unsigned char events_snippets_js[] = {
#embed "../../Page/events/snippets.js"
};

static const unsigned char events_ways_js[] = {
#embed "../../Page/events/ways.js"
};

static const unsigned char forms_capture_form_js[] = {
#embed "../../Page/forms/capture-form.js"
};

static const unsigned char forms_categories_field_js[] = {
#embed "../../Page/forms/categories-field.js"
};

static const unsigned char forms_completions_js[] = {
#embed "../../Page/forms/completions.js"
};

static const unsigned char forms_editor_js[] = {
#embed "../../Page/forms/editor.js"
};

static const unsigned char forms_event_example_js[] = {
#embed "../../Page/forms/event-example.js"
};

static const unsigned char forms_example_form_js[] = {
#embed "../../Page/forms/example-form.js"
};

static const unsigned char forms_liveplugins_d_ts[] = {
#embed "../../../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts"
};

static const unsigned char forms_database_form_js[] = {
#embed "../../Page/forms/database-form.js"
};

static const unsigned char forms_function_choice_js[] = {
#embed "../../Page/forms/function-choice.js"
};

static const unsigned char forms_function_editor_js[] = {
#embed "../../Page/forms/function-editor.js"
};

static const unsigned char forms_function_form_js[] = {
#embed "../../Page/forms/function-form.js"
};

static const unsigned char forms_function_trial_js[] = {
#embed "../../Page/forms/function-trial.js"
};

static const unsigned char forms_object_form_js[] = {
#embed "../../Page/forms/object-form.js"
};

static const unsigned char forms_replay_js[] = {
#embed "../../Page/forms/replay.js"
};

static const unsigned char forms_rule_findings_js[] = {
#embed "../../Page/forms/rule-findings.js"
};

static const unsigned char forms_rule_form_js[] = {
#embed "../../Page/forms/rule-form.js"
};

static const unsigned char forms_rules_js[] = {
#embed "../../Page/forms/rules.js"
};

static const unsigned char forms_webhook_form_js[] = {
#embed "../../Page/forms/webhook-form.js"
};

static const unsigned char parts_conditions_bar_js[] = {
#embed "../../Page/parts/conditions-bar.js"
};

static const unsigned char parts_details_js[] = {
#embed "../../Page/parts/details.js"
};

static const unsigned char parts_diff_js[] = {
#embed "../../Page/parts/diff.js"
};

static const unsigned char parts_elements_js[] = {
#embed "../../Page/parts/elements.js"
};

static const unsigned char parts_guard_js[] = {
#embed "../../Page/parts/guard.js"
};

static const unsigned char parts_live_table_js[] = {
#embed "../../Page/parts/live-table.js"
};

static const unsigned char parts_login_dialog_js[] = {
#embed "../../Page/parts/login-dialog.js"
};

static const unsigned char parts_losses_js[] = {
#embed "../../Page/parts/losses.js"
};

static const unsigned char parts_messages_js[] = {
#embed "../../Page/parts/messages.js"
};

static const unsigned char parts_parts_js[] = {
#embed "../../Page/parts/parts.js"
};

static const unsigned char parts_presence_view_js[] = {
#embed "../../Page/parts/presence-view.js"
};

static const unsigned char parts_questions_js[] = {
#embed "../../Page/parts/questions.js"
};

static const unsigned char parts_sorting_js[] = {
#embed "../../Page/parts/sorting.js"
};

static const unsigned char parts_text_js[] = {
#embed "../../Page/parts/text.js"
};

static const unsigned char people_erasure_js[] = {
#embed "../../Page/people/erasure.js"
};

static const unsigned char people_finding_js[] = {
#embed "../../Page/people/finding.js"
};

static const unsigned char people_person_js[] = {
#embed "../../Page/people/person.js"
};

static const unsigned char people_sessions_js[] = {
#embed "../../Page/people/sessions.js"
};

static const unsigned char people_suppression_js[] = {
#embed "../../Page/people/suppression.js"
};

static const unsigned char people_timeline_js[] = {
#embed "../../Page/people/timeline.js"
};

static const unsigned char people_visits_js[] = {
#embed "../../Page/people/visits.js"
};

static const unsigned char places_access_place_js[] = {
#embed "../../Page/places/access-place.js"
};

static const unsigned char places_audit_place_js[] = {
#embed "../../Page/places/audit-place.js"
};

static const unsigned char places_board_place_js[] = {
#embed "../../Page/places/board-place.js"
};

static const unsigned char places_catalog_place_js[] = {
#embed "../../Page/places/catalog-place.js"
};

static const unsigned char places_cluster_place_js[] = {
#embed "../../Page/places/cluster-place.js"
};

static const unsigned char places_console_js[] = {
#embed "../../Page/places/console.js"
};

static const unsigned char places_destinations_place_js[] = {
#embed "../../Page/places/destinations-place.js"
};

static const unsigned char places_events_place_js[] = {
#embed "../../Page/places/events-place.js"
};

static const unsigned char places_explore_place_js[] = {
#embed "../../Page/places/explore-place.js"
};

static const unsigned char places_filters_place_js[] = {
#embed "../../Page/places/filters-place.js"
};

static const unsigned char places_live_plugins_place_js[] = {
#embed "../../Page/places/live-plugins-place.js"
};

static const unsigned char places_login_js[] = {
#embed "../../Page/places/login.js"
};

static const unsigned char places_palette_js[] = {
#embed "../../Page/places/palette.js"
};

static const unsigned char places_people_place_js[] = {
#embed "../../Page/places/people-place.js"
};

static const unsigned char places_places_js[] = {
#embed "../../Page/places/places.js"
};

static const unsigned char places_plan_place_js[] = {
#embed "../../Page/places/plan-place.js"
};

static const unsigned char places_problems_place_js[] = {
#embed "../../Page/places/problems-place.js"
};

static const unsigned char places_sessions_place_js[] = {
#embed "../../Page/places/sessions-place.js"
};

static const unsigned char places_shared_board_js[] = {
#embed "../../Page/places/shared-board.js"
};

static const unsigned char places_sources_place_js[] = {
#embed "../../Page/places/sources-place.js"
};

static const unsigned char places_sql_place_js[] = {
#embed "../../Page/places/sql-place.js"
};

static const unsigned char places_surroundings_js[] = {
#embed "../../Page/places/surroundings.js"
};

static const unsigned char problems_alerts_js[] = {
#embed "../../Page/problems/alerts.js"
};

static const unsigned char problems_dead_letters_js[] = {
#embed "../../Page/problems/dead-letters.js"
};

static const unsigned char problems_destination_facts_js[] = {
#embed "../../Page/problems/destination-facts.js"
};

static const unsigned char problems_problem_list_js[] = {
#embed "../../Page/problems/problem-list.js"
};

static const unsigned char problems_strips_js[] = {
#embed "../../Page/problems/strips.js"
};

static const unsigned char rollouts_drafts_js[] = {
#embed "../../Page/rollouts/drafts.js"
};

static const unsigned char rollouts_dry_run_js[] = {
#embed "../../Page/rollouts/dry-run.js"
};

static const unsigned char rollouts_filter_health_js[] = {
#embed "../../Page/rollouts/filter-health.js"
};

static const unsigned char rollouts_filter_review_js[] = {
#embed "../../Page/rollouts/filter-review.js"
};

static const unsigned char rollouts_function_rollout_js[] = {
#embed "../../Page/rollouts/function-rollout.js"
};

static const unsigned char rollouts_golden_review_js[] = {
#embed "../../Page/rollouts/golden-review.js"
};

static const unsigned char rollouts_ledger_js[] = {
#embed "../../Page/rollouts/ledger.js"
};

static const unsigned char rollouts_plugin_health_js[] = {
#embed "../../Page/rollouts/plugin-health.js"
};

static const unsigned char rollouts_rollout_js[] = {
#embed "../../Page/rollouts/rollout.js"
};

static const unsigned char rollouts_shadow_js[] = {
#embed "../../Page/rollouts/shadow.js"
};

static const unsigned char rollouts_starts_js[] = {
#embed "../../Page/rollouts/starts.js"
};

static const unsigned char rollouts_stops_js[] = {
#embed "../../Page/rollouts/stops.js"
};

static const unsigned char rollouts_touches_js[] = {
#embed "../../Page/rollouts/touches.js"
};

static const unsigned char rollouts_trial_js[] = {
#embed "../../Page/rollouts/trial.js"
};

static const unsigned char styles_base_css[] = {
#embed "../../Page/styles/base.css"
};

static const unsigned char styles_catalog_css[] = {
#embed "../../Page/styles/catalog.css"
};

static const unsigned char styles_cluster_css[] = {
#embed "../../Page/styles/cluster.css"
};

static const unsigned char styles_colours_css[] = {
#embed "../../Page/styles/colours.css"
};

static const unsigned char styles_data_css[] = {
#embed "../../Page/styles/data.css"
};

static const unsigned char styles_editor_css[] = {
#embed "../../Page/styles/editor.css"
};

static const unsigned char styles_header_css[] = {
#embed "../../Page/styles/header.css"
};

static const unsigned char styles_icon_svg[] = {
#embed "../../Page/styles/icon.svg"
};

static const unsigned char styles_list_css[] = {
#embed "../../Page/styles/list.css"
};

static const unsigned char styles_login_css[] = {
#embed "../../Page/styles/login.css"
};

static const unsigned char styles_narrow_css[] = {
#embed "../../Page/styles/narrow.css"
};

static const unsigned char styles_overlay_css[] = {
#embed "../../Page/styles/overlay.css"
};

static const unsigned char styles_panel_css[] = {
#embed "../../Page/styles/panel.css"
};

static const unsigned char styles_place_css[] = {
#embed "../../Page/styles/place.css"
};

static const unsigned char styles_places_css[] = {
#embed "../../Page/styles/places.css"
};

static const unsigned char views_question_js[] = {
#embed "../../Page/views/question.js"
};

static const unsigned char views_last_queries_js[] = {
#embed "../../Page/views/last-queries.js"
};

static const unsigned char views_links_js[] = {
#embed "../../Page/views/links.js"
};

static const unsigned char views_saved_view_js[] = {
#embed "../../Page/views/saved-view.js"
};

static const unsigned char views_tile_js[] = {
#embed "../../Page/views/tile.js"
};

static const unsigned char openapi_json[] = {
#embed "../../OpenAPI/openapi.json"
};

#define FILE_NAMED(name, array) { name, array, sizeof array }

static const struct workspace_file files[] = {
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("login.html", login_html),
    FILE_NAMED("shared.html", shared_html),
    FILE_NAMED("api/breakdown.js", api_breakdown_js),
    FILE_NAMED("api/conditions.js", api_conditions_js),
    FILE_NAMED("api/json.js", api_json_js),
    FILE_NAMED("api/libraries.js", api_libraries_js),
    FILE_NAMED("api/limits.js", api_limits_js),
    FILE_NAMED("api/lists.js", api_lists_js),
    FILE_NAMED("api/presence.js", api_presence_js),
    FILE_NAMED("api/workspace.js", api_workspace_js),
    FILE_NAMED("catalog/catalog-entry.js", catalog_catalog_entry_js),
    FILE_NAMED("catalog/plan-form.js", catalog_plan_form_js),
    FILE_NAMED("catalog/plan-import.js", catalog_plan_import_js),
    FILE_NAMED("catalog/plan-part.js", catalog_plan_part_js),
    FILE_NAMED("catalog/plan.js", catalog_plan_js),
    FILE_NAMED("catalog/planned-event.js", catalog_planned_event_js),
    FILE_NAMED("charts/chart.js", charts_chart_js),
    FILE_NAMED("charts/figures.js", charts_figures_js),
    FILE_NAMED("charts/funnel-counts.js", charts_funnel_counts_js),
    FILE_NAMED("charts/line-chart.js", charts_line_chart_js),
    FILE_NAMED("charts/measure.js", charts_measure_js),
    FILE_NAMED("charts/people-counts.js", charts_people_counts_js),
    FILE_NAMED("charts/property-counts.js", charts_property_counts_js),
    FILE_NAMED("charts/retention-counts.js", charts_retention_counts_js),
    FILE_NAMED("charts/search-progress.js", charts_search_progress_js),
    FILE_NAMED("charts/series.js", charts_series_js),
    FILE_NAMED("charts/sql-answer.js", charts_sql_answer_js),
    FILE_NAMED("charts/table-list.js", charts_table_list_js),
    FILE_NAMED("events/deployment.js", events_deployment_js),
    FILE_NAMED("events/events.js", events_events_js),
    FILE_NAMED("events/first-event.js", events_first_event_js),
    FILE_NAMED("events/list.js", events_list_js),
    FILE_NAMED("events/named.js", events_named_js),
    FILE_NAMED("events/notices.js", events_notices_js),
    FILE_NAMED("events/only.js", events_only_js),
    FILE_NAMED("events/panel.js", events_panel_js),
    FILE_NAMED("events/path.js", events_path_js),
    FILE_NAMED("events/planned.js", events_planned_js),
    FILE_NAMED("events/snippets.js", events_snippets_js),
    FILE_NAMED("events/ways.js", events_ways_js),
    FILE_NAMED("forms/capture-form.js", forms_capture_form_js),
    FILE_NAMED("forms/categories-field.js", forms_categories_field_js),
    FILE_NAMED("forms/completions.js", forms_completions_js),
    FILE_NAMED("forms/editor.js", forms_editor_js),
    FILE_NAMED("forms/event-example.js", forms_event_example_js),
    FILE_NAMED("forms/example-form.js", forms_example_form_js),
    FILE_NAMED("forms/liveplugins.d.ts", forms_liveplugins_d_ts),
    FILE_NAMED("forms/database-form.js", forms_database_form_js),
    FILE_NAMED("forms/function-choice.js", forms_function_choice_js),
    FILE_NAMED("forms/function-editor.js", forms_function_editor_js),
    FILE_NAMED("forms/function-form.js", forms_function_form_js),
    FILE_NAMED("forms/function-trial.js", forms_function_trial_js),
    FILE_NAMED("forms/object-form.js", forms_object_form_js),
    FILE_NAMED("forms/replay.js", forms_replay_js),
    FILE_NAMED("forms/rule-findings.js", forms_rule_findings_js),
    FILE_NAMED("forms/rule-form.js", forms_rule_form_js),
    FILE_NAMED("forms/rules.js", forms_rules_js),
    FILE_NAMED("forms/webhook-form.js", forms_webhook_form_js),
    FILE_NAMED("parts/conditions-bar.js", parts_conditions_bar_js),
    FILE_NAMED("parts/details.js", parts_details_js),
    FILE_NAMED("parts/diff.js", parts_diff_js),
    FILE_NAMED("parts/elements.js", parts_elements_js),
    FILE_NAMED("parts/guard.js", parts_guard_js),
    FILE_NAMED("parts/live-table.js", parts_live_table_js),
    FILE_NAMED("parts/login-dialog.js", parts_login_dialog_js),
    FILE_NAMED("parts/losses.js", parts_losses_js),
    FILE_NAMED("parts/messages.js", parts_messages_js),
    FILE_NAMED("parts/parts.js", parts_parts_js),
    FILE_NAMED("parts/presence-view.js", parts_presence_view_js),
    FILE_NAMED("parts/questions.js", parts_questions_js),
    FILE_NAMED("parts/sorting.js", parts_sorting_js),
    FILE_NAMED("parts/text.js", parts_text_js),
    FILE_NAMED("people/erasure.js", people_erasure_js),
    FILE_NAMED("people/finding.js", people_finding_js),
    FILE_NAMED("people/person.js", people_person_js),
    FILE_NAMED("people/sessions.js", people_sessions_js),
    FILE_NAMED("people/suppression.js", people_suppression_js),
    FILE_NAMED("people/timeline.js", people_timeline_js),
    FILE_NAMED("people/visits.js", people_visits_js),
    FILE_NAMED("places/access-place.js", places_access_place_js),
    FILE_NAMED("places/audit-place.js", places_audit_place_js),
    FILE_NAMED("places/board-place.js", places_board_place_js),
    FILE_NAMED("places/catalog-place.js", places_catalog_place_js),
    FILE_NAMED("places/cluster-place.js", places_cluster_place_js),
    FILE_NAMED("places/console.js", places_console_js),
    FILE_NAMED("places/destinations-place.js", places_destinations_place_js),
    FILE_NAMED("places/events-place.js", places_events_place_js),
    FILE_NAMED("places/explore-place.js", places_explore_place_js),
    FILE_NAMED("places/filters-place.js", places_filters_place_js),
    FILE_NAMED("places/live-plugins-place.js", places_live_plugins_place_js),
    FILE_NAMED("places/login.js", places_login_js),
    FILE_NAMED("places/palette.js", places_palette_js),
    FILE_NAMED("places/people-place.js", places_people_place_js),
    FILE_NAMED("places/places.js", places_places_js),
    FILE_NAMED("places/plan-place.js", places_plan_place_js),
    FILE_NAMED("places/problems-place.js", places_problems_place_js),
    FILE_NAMED("places/sessions-place.js", places_sessions_place_js),
    FILE_NAMED("places/shared-board.js", places_shared_board_js),
    FILE_NAMED("places/sources-place.js", places_sources_place_js),
    FILE_NAMED("places/sql-place.js", places_sql_place_js),
    FILE_NAMED("places/surroundings.js", places_surroundings_js),
    FILE_NAMED("problems/alerts.js", problems_alerts_js),
    FILE_NAMED("problems/dead-letters.js", problems_dead_letters_js),
    FILE_NAMED("problems/destination-facts.js", problems_destination_facts_js),
    FILE_NAMED("problems/problem-list.js", problems_problem_list_js),
    FILE_NAMED("problems/strips.js", problems_strips_js),
    FILE_NAMED("rollouts/drafts.js", rollouts_drafts_js),
    FILE_NAMED("rollouts/dry-run.js", rollouts_dry_run_js),
    FILE_NAMED("rollouts/filter-health.js", rollouts_filter_health_js),
    FILE_NAMED("rollouts/filter-review.js", rollouts_filter_review_js),
    FILE_NAMED("rollouts/function-rollout.js", rollouts_function_rollout_js),
    FILE_NAMED("rollouts/golden-review.js", rollouts_golden_review_js),
    FILE_NAMED("rollouts/ledger.js", rollouts_ledger_js),
    FILE_NAMED("rollouts/plugin-health.js", rollouts_plugin_health_js),
    FILE_NAMED("rollouts/rollout.js", rollouts_rollout_js),
    FILE_NAMED("rollouts/shadow.js", rollouts_shadow_js),
    FILE_NAMED("rollouts/starts.js", rollouts_starts_js),
    FILE_NAMED("rollouts/stops.js", rollouts_stops_js),
    FILE_NAMED("rollouts/touches.js", rollouts_touches_js),
    FILE_NAMED("rollouts/trial.js", rollouts_trial_js),
    FILE_NAMED("styles/base.css", styles_base_css),
    FILE_NAMED("styles/catalog.css", styles_catalog_css),
    FILE_NAMED("styles/cluster.css", styles_cluster_css),
    FILE_NAMED("styles/colours.css", styles_colours_css),
    FILE_NAMED("styles/data.css", styles_data_css),
    FILE_NAMED("styles/editor.css", styles_editor_css),
    FILE_NAMED("styles/header.css", styles_header_css),
    FILE_NAMED("styles/icon.svg", styles_icon_svg),
    FILE_NAMED("styles/list.css", styles_list_css),
    FILE_NAMED("styles/login.css", styles_login_css),
    FILE_NAMED("styles/narrow.css", styles_narrow_css),
    FILE_NAMED("styles/overlay.css", styles_overlay_css),
    FILE_NAMED("styles/panel.css", styles_panel_css),
    FILE_NAMED("styles/place.css", styles_place_css),
    FILE_NAMED("styles/places.css", styles_places_css),
    FILE_NAMED("views/question.js", views_question_js),
    FILE_NAMED("views/last-queries.js", views_last_queries_js),
    FILE_NAMED("views/links.js", views_links_js),
    FILE_NAMED("views/saved-view.js", views_saved_view_js),
    FILE_NAMED("views/tile.js", views_tile_js),
    FILE_NAMED("openapi.json", openapi_json),
};

const struct workspace_file *workspace_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
