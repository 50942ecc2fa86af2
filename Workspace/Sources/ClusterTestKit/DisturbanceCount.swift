/// The number of disturbances of each kind.
public struct DisturbanceCount: Sendable {
    private let kinds: [Disturbance.Kind]

    /// Counts some disturbances.
    public init(_ disturbances: [Disturbance]) { kinds = disturbances.map(\.kind) }

    /// The number of killed processes. Killing all servers of the log counts as three.
    public var kills: Int {
        kinds.reduce(0) { sum, kind in
            switch kind {
            case .kill: sum + 1
            case .killAllLogs: sum + NATSEngines.count
            case .stop, .fill, .cut, .separate: sum
            }
        }
    }

    /// All kinds, for people: `kills: node 12, nats 5, store 4, ZooKeeper 2; stops: node 4 …`.
    public var summary: String {
        let (logs, separations) = (count(.killAllLogs), count(.separate))
        let groups = [
            group("kills") { .kill($0) }, logs > 0 ? "all logs at once \(logs)" : nil, group("stops") { .stop($0) },
            group("full disks") { .fill($0) }, group("cut off") { .cut($0) },
            separations > 0 ? "two machines separated \(separations)" : nil,
        ]
        let found = groups.compactMap { $0 }
        return found.isEmpty ? "nothing was done" : found.joined(separator: "; ")
    }

    private func group(_ name: String, _ kind: (Disturbance.Part) -> Disturbance.Kind) -> String? {
        let parts = Disturbance.Part.allCases.compactMap { part in
            let count = count(kind(part))
            return count > 0 ? "\(part.rawValue) \(count)" : nil
        }
        return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: ", "))"
    }

    private func count(_ kind: Disturbance.Kind) -> Int { kinds.count { $0 == kind } }
}
