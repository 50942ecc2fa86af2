import WorkspaceCore

extension Limits {
    /// Reports that may wait to be stored, of all sources and of one.
    static let waitingReports = 1_000
    static let waitingReportsOfSource = 250
    /// The newest versions with sums of their own; reports about older ones are added up together.
    static let reportedVersions: Int64 = 8
    /// Bundles that the server keeps the names of in memory, and names of one.
    static let bundlesWithNames = 8
    static let namesInBundle = 50_000
    /// The same when reports arrived.
    static let rolloutReportPause = Duration.seconds(1)
    /// Hours that one request for the health of live plugins covers.
    static let healthHours: Int64 = 24 * 30
}
