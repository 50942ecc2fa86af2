/// Events that several nodes keep together, in the place of the days of a folder.
struct SharedEvents: Sendable {
    let storage: any EventStorage
    /// Rows up to this number are stored, and no row that is stored later has a lower one.
    let confirmed: @Sendable () async -> Int64
}
