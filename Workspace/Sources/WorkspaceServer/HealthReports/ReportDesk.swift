import Foundation
import HTTPTypes
import Logging

/// Prepares reports and has them stored. Used by one at a time.
struct ReportDesk {
    /// The samples of the open roll-outs.
    var samples = RolloutSamples()

    private let store: Store
    private let metrics: ServerMetrics
    private let logger: Logger
    private var names: [NamedVersion: BundleNames] = [:]
    private var devicesSincePruning = 0

    /// New devices between two looks whether there are too many.
    private static let pruningInterval = 1_000

    private struct NamedVersion: Hashable {
        let source: Int64
        let version: Int64
    }

    init(store: Store, metrics: ServerMetrics, logger: Logger) {
        self.store = store
        self.metrics = metrics
        self.logger = logger
    }

    /// Stores reports and answers whoever waits for it.
    mutating func store(_ waiting: [HealthInbox.Waiting]) async {
        guard !waiting.isEmpty else { return }
        do {
            var reports: [SourceReport] = []
            for one in waiting { reports.append(try await prepared(one)) }
            let result = try await store.countReports(reports, samples)
            samples = result.samples
            for (one, isNew) in zip(waiting, result.isNew) {
                let versions = one.report.versions.map { version in
                    (one.source.reportedVersion(version.name).map { "\($0)" } ?? Store.otherVersions, version.health)
                }
                metrics.reported(isNew ? versions : nil, source: one.source.writeKey)
            }
            try await prune(result.isNew.count { $0 })
            for one in waiting { one.end(.success(())) }
        } catch {
            // What is in memory may be ahead of what is stored.
            samples = RolloutSamples()
            // A server that stops cancels the work; the clients send the reports again.
            if !(error is CancellationError) {
                logger.error("health reports cannot be stored", metadata: ["error": "\(error)"])
            }
            let refusal = APIError(.serviceUnavailable, "the report cannot be stored now; send it again")
            for one in waiting { one.end(.failure(refusal)) }
        }
    }

    private mutating func prepared(_ waiting: HealthInbox.Waiting) async throws -> SourceReport {
        let report = waiting.report
        var sums = [Store.deliveryVersion: report.delivery]
        for version in report.versions {
            guard let number = waiting.source.reportedVersion(version.name) else {
                // Of a version that is not named, no plugin is.
                sums[Store.otherVersions, default: HealthSums()].add(version.sums { _ in false })
                continue
            }
            let names = try await names(of: NamedVersion(source: waiting.source.id, version: number))
            sums["\(number)", default: HealthSums()].add(version.sums(where: names.contains))
        }
        return SourceReport(
            source: waiting.source.id, report: report, receivedAt: waiting.receivedAt, sums: sums)
    }

    private mutating func names(of version: NamedVersion) async throws -> BundleNames {
        if let known = names[version] { return known }
        let text = try await store.bundleText(source: version.source, version: version.version)?.text ?? Data()
        let found = BundleNames(of: text)
        if names.count >= Limits.bundlesWithNames { names = [:] }
        names[version] = found
        return found
    }

    private mutating func prune(_ count: Int) async throws {
        devicesSincePruning += count
        guard devicesSincePruning >= Self.pruningInterval else { return }
        devicesSincePruning = 0
        try await store.forgetOldestDevices()
    }
}

extension Source {
    /// The number of a version that has sums of its own: one of the newest that were deployed. Nil for an older one, for the
    /// app's own bundle, and for what a stranger invents.
    func reportedVersion(_ name: String) -> Int64? {
        guard let newest = bundle?.version, let number = Int64(name), "\(number)" == name,
            (max(1, newest - Limits.reportedVersions + 1)...newest).contains(number)
        else { return nil }
        return number
    }
}
