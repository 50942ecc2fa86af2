/// Something that is done to the parts of a cluster.
public struct Disturbance: Sendable, Equatable {
    /// A sort of process, or of machine.
    public enum Part: String, Sendable, CaseIterable {
        /// A server that takes requests and moves the log into the store.
        case node
        /// A server of the log.
        case nats
        /// A replica of the store.
        case store
        /// What coordinates the replicas.
        case zooKeeper = "ZooKeeper"
        /// What a node, a server of the log and a replica with the same number run on.
        case machine
    }

    /// A process, or a machine.
    public struct Target: Sendable, Hashable {
        /// Its sort.
        public let part: Part
        /// Its number among those of its sort, from 0 on.
        public let index: Int

        /// The one with a number of a sort.
        public init(_ part: Part, _ index: Int) { (self.part, self.index) = (part, index) }
    }

    /// What is done.
    public enum Kind: Sendable, Hashable {
        /// One process ends with SIGKILL, and is started again.
        case kill(Part)
        /// All servers of the log end with SIGKILL at once, and are started again.
        case killAllLogs
        /// One process gets SIGSTOP, and SIGCONT after a while that is longer than a takeover takes.
        case stop(Part)
        /// The disk of one process is full for a while.
        case fill(Part)
        /// A machine, or ZooKeeper, is cut off from all others, and connected again after a while.
        case cut(Part)
        /// A machine and the next one do not reach each other for a while, and both reach the others.
        case separate

        /// The sort of process that it is done to.
        public var part: Part {
            switch self {
            case .kill(let part), .stop(let part), .fill(let part), .cut(let part): part
            case .killAllLogs: .nats
            case .separate: .machine
            }
        }
    }

    /// What is done.
    public let kind: Kind
    /// The process of its sort, from 0 on; 0 when all are meant.
    public let server: Int
    /// Milliseconds after the beginning.
    public let at: Int
    /// Milliseconds after which it ends.
    public let lasts: Int

    /// The moment at which it ends, in milliseconds after the beginning.
    public var end: Int { at + lasts }

    /// What is left alone otherwise while a disturbance lasts. While a machine is cut off, no other one is, and the servers of
    /// the log on the others are left alone, so that these have a majority. While two are separated, no machine is cut off.
    /// - Parameter servers: how many there are of each sort.
    static func targets(of kind: Kind, on server: Int, _ servers: [Part: Int]) -> [Target] {
        let machines = (0..<(servers[.machine] ?? 0)).map { Target(.machine, $0) }
        let logs = (0..<(servers[.nats] ?? 0)).map { Target(.nats, $0) }
        return switch kind {
        case .killAllLogs: logs
        case .cut(.machine):
            machines + logs + [Target(.node, server), Target(.store, server)]
        case .separate: machines
        case .kill(let part), .stop(let part), .fill(let part), .cut(let part): [Target(part, server)]
        }
    }
}

extension Disturbance: CustomStringConvertible {
    /// What is done when, for people.
    public var description: String {
        let name =
            switch kind {
            case .kill(let part): "kill \(part.rawValue) \(server)"
            case .killAllLogs: "kill all logs"
            case .stop(let part): "stop \(part.rawValue) \(server)"
            case .cut(let part): "cut off \(part.rawValue) \(server)"
            case .separate: "separate machine \(server) from the next one"
            case .fill(let part): "fill the disk of \(part.rawValue) \(server)"
            }
        return "from \(at) ms to \(end) ms: \(name)"
    }
}
