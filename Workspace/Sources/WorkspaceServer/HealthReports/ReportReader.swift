import Crypto
import Foundation
import GRDB
import TributaryJSON
package import WorkspaceCore

/// Makes reports ready to be counted. Used by one at a time.
package struct ReportReader {
    private let store: Store
    private var key: SymmetricKey?
    private var names: [NamedVersion: BundleNames] = [:]

    private struct NamedVersion: Hashable {
        let source: Int64
        let version: Int64
    }

    package init(store: Store) { self.store = store }

    /// Keeps the part of a report that is about the versions that its source has now.
    package mutating func read(_ waiting: HealthInbox.Waiting) async throws -> SourceReport {
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
        var shadows: [Int64: DeviceHealth] = [:]
        for version in report.shadows {
            guard let number = source.reportedVersion(version.name, of: .livePlugins) else { continue }
            let names = try await names(of: NamedVersion(source: source.id, version: number))
            let name = Store.shadowPrefix + "\(number)"
            sums[name, default: HealthSums()].add(version.sums(where: names.contains))
            shadows[number, default: DeviceHealth(events: 0)].add(version.health)
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
        var read = SourceReport(
            source: source.id, device: HealthSample.digest(report.instance, try await digestKey()),
            number: report.number, isEarly: report.isEarly, receivedAt: waiting.receivedAt, sums: sums, health: health)
        read.shadows = shadows
        read.app = report.app
        read.account = report.account
        read.heard = report.heard
        // A device cannot have heard of a stop that was not made.
        read.heard?.stop = min(report.heard?.stop ?? 0, source.stops.newest)
        return read
    }

    /// It stays as it is while the server runs.
    private mutating func digestKey() async throws -> SymmetricKey {
        if let key { return key }
        let read = try await store.pool.read(Store.healthKey)
        key = read
        return read
    }

    private mutating func names(of version: NamedVersion) async throws -> BundleNames {
        if let known = names[version] { return known }
        let text = try await store.bundleText(source: version.source, version: version.version)?.text ?? Data()
        let found = BundleNames(of: text)
        if names.count >= Limits.bundlesWithNames { names = [:] }
        names[version] = found
        return found
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

/// The names in the text of a bundle: the class of a plugin is one of them, so a plugin that is not is invented.
struct BundleNames: Sendable {
    /// Under this name devices report what generators of signals do.
    private static let generators = "processSignal"

    private let names: Set<String>

    /// The beginning of a first line with tables, which has data and no plugins.
    static let tables = "/*tributary tables "

    /// - Parameter text: JavaScript. It is not parsed: names are runs of letters, digits, `_`, `$` and characters beyond ASCII.
    init(of text: some Collection<UInt8>) {
        let hasTables = text.starts(with: Self.tables.utf8)
        var names: Set<String> = [Self.generators]
        var name: [UInt8] = []
        func end() {
            if !name.isEmpty, names.count < Limits.namesInBundle { names.insert(String(decoding: name, as: UTF8.self)) }
            name = []
        }
        for byte in text.drop(while: { hasTables && $0 != UInt8(ascii: "\n") }) {
            if Self.isPart(byte) {
                name.append(byte)
            } else {
                end()
            }
        }
        end()
        self.names = names
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_$".utf8.contains(byte) || byte >= 0x80
    }
}
