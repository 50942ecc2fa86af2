package import WorkspaceCore

/// Has reports counted, in the tables and in the metrics. Used by one at a time.
package struct ReportCounter {
    /// The samples of the open roll-outs.
    package var samples = RolloutSamples()

    private let store: Store
    private let sources: SourceRegistry
    private let metrics: ServerMetrics
    private var devicesSincePruning = 0

    /// New devices between two looks whether there are too many.
    private static let pruningInterval = 1_000

    package init(store: Store, sources: SourceRegistry, metrics: ServerMetrics) {
        (self.store, self.sources, self.metrics) = (store, sources, metrics)
    }

    /// Counts reports, in one transaction.
    /// - Parameter place: how far the log of a cluster is counted with them; nil on one machine.
    /// - Throws: when none was counted, or the server cannot tell.
    package mutating func count(_ reports: [SourceReport], through place: HealthLogOffset? = nil) async throws {
        let result: (isNew: [Bool], samples: RolloutSamples)
        do {
            result = try await store.countReports(reports, samples, through: place)
        } catch {
            // The samples in memory may be ahead of the stored ones.
            samples = RolloutSamples()
            throw error
        }
        samples = result.samples
        await measure(zip(reports, result.isNew).filter(\.0.isOwn))
        devicesSincePruning += result.isNew.count { $0 }
        guard devicesSincePruning >= Self.pruningInterval else { return }
        devicesSincePruning = 0
        try await store.forgetOldestDevices()
    }

    private func measure(_ reports: [(SourceReport, isNew: Bool)]) async {
        let writeKeys = await sources.writeKeys(of: Set(reports.map(\.0.source)))
        for (report, isNew) in reports {
            metrics.reported(isNew: isNew)
            guard isNew, let source = writeKeys[report.source] else { continue }
            for (version, sums) in report.sums
            where version != Store.deliveryVersion && !version.hasPrefix(Store.shadowPrefix) {
                let isFilters = version.hasPrefix(Store.filterPrefix)
                metrics.reported(
                    DeviceHealth(
                        events: sums.counts["events"], faulty: sums.counts["faulty"], dropped: sums.counts["dropped"],
                        microseconds: sums.counts["microseconds"], isBroken: sums.isBroken),
                    isFilters ? .filters : .livePlugins,
                    version: isFilters ? String(version.dropFirst(Store.filterPrefix.count)) : version, source: source)
            }
        }
    }
}
