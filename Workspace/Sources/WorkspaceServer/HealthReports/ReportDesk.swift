import Foundation
import HTTPTypes
import Logging
import TributaryJSON

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
                metrics.reported(isNew: isNew)
                guard isNew else { continue }
                for kind in RolloutKind.allCases {
                    for version in one.report.versions(of: kind) {
                        let number = one.source.reportedVersion(version.name, of: kind)
                        metrics.reported(
                            version.health, kind, version: number.map { "\($0)" } ?? Store.otherVersions,
                            source: one.source.writeKey)
                    }
                }
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
        let (source, report) = (waiting.source, waiting.report)
        var sums = [Store.deliveryVersion: report.delivery]
        var health: [RolloutKind: [Int64: DeviceHealth]] = [:]
        for version in report.versions {
            guard let number = source.reportedVersion(version.name, of: .livePlugins) else {
                // Of a version that is not named, no plugin is.
                sums[Store.otherVersions, default: HealthSums()].add(version.sums { _ in false })
                continue
            }
            let names = try await names(of: NamedVersion(source: source.id, version: number))
            sums["\(number)", default: HealthSums()].add(version.sums(where: names.contains))
            health[.livePlugins, default: [:]][number, default: DeviceHealth(events: 0)].add(version.health)
        }
        let destinations = source.filteredDestinations
        for version in report.filters {
            let number = source.reportedVersion(version.name, of: .filters)
            let name = Store.filterPrefix + (number.map { "\($0)" } ?? Store.otherVersions)
            sums[name, default: HealthSums()].add(version.sums { number != nil && destinations.contains($0) })
            guard let number, report.isComparable(version, bundle: source.bundleForAll?.version) else { continue }
            let known = version.health.keepingDestinations(where: destinations.contains)
            health[.filters, default: [:]][number, default: DeviceHealth(events: 0)].add(known)
        }
        return SourceReport(
            source: source.id, report: report, receivedAt: waiting.receivedAt, sums: sums, health: health)
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

extension DeviceReport {
    fileprivate func versions(of kind: RolloutKind) -> [Version] {
        switch kind {
        case .livePlugins: versions
        case .filters: filters
        }
    }
}

extension Source {
    /// The number of a version that has sums of its own: one of the newest that were deployed. Nil for an older one, for the
    /// app's own bundle, and for what a stranger invents. Version 0 of the filters has no rules.
    func reportedVersion(_ name: String, of kind: RolloutKind) -> Int64? {
        let first: Int64 = kind == .filters ? 0 : 1
        guard let newest = newest(kind)?.version, let number = Int64(name), "\(number)" == name,
            (max(first, newest - Limits.reportedVersions + 1)...newest).contains(number)
        else { return nil }
        return number
    }

    /// The destinations that deployed rules name, those for all devices first: a destination that none names is invented,
    /// or cannot be filtered. Devices count for the same ones.
    fileprivate var filteredDestinations: Set<String> {
        let rules = [filtersForAll, newestFilters].flatMap { $0?.rules.elements ?? [] }
        var names: Set<String> = []
        for name in rules.compactMap({ $0["destinationName"]?.stringValue }) {
            names.insert(name)
            if names.count == DeviceHealth.mostDestinations { break }
        }
        return names
    }
}
