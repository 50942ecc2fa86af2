/// The counts of a plugin of the library for the next health report.
package enum HealthPart {
    case livePlugins(VersionHealth)
    case filters(FilterHealth)
    case shadow(ShadowHealth)
}
