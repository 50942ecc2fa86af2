/// What a plugin of the library counted for the next health report.
package enum HealthPart {
    case livePlugins(VersionHealth)
    case filters(FilterHealth)
}
