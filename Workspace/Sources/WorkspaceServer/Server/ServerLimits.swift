import WorkspaceCore

extension Limits {
    /// How often a node of a cluster looks how far partitions are stored, and how often it removes stored records from the log.
    package static let clusterLook = Duration.milliseconds(200)
    package static let clusterTrim = Duration.seconds(60)
    /// How often a node looks whether other nodes received health reports.
    package static let healthLook = Duration.milliseconds(500)
    /// Requests that an earlier process left; with more of them, lists do not wait until they are stored.
    static let requestsWaitedFor = 100
    /// The time between two looks at the roll-outs.
    package static let rolloutPause = Duration.seconds(10)
}
