/// A disturbance of the parts of a cluster.
public struct Disturbance: Sendable, Equatable {
    /// A sort of process, or of machine.
    public enum Part: String, Sendable, CaseIterable {
        /// A server that takes requests and moves the log into the store.
        case node
        /// A server of the log.
        case nats
        /// A replica of the store.
        case store
        /// The server that coordinates the replicas.
        case zooKeeper = "ZooKeeper"
        /// The machine on which a node, a server of the log and a replica with the same number run.
        case machine
    }

    /// A process, or a machine.
    public struct Target: Sendable, Hashable {
        /// Its sort.
        public let part: Part
        /// Its number within its sort, from 0 on.
        public let index: Int

        /// The process or machine with this number.
        public init(_ part: Part, _ index: Int) { (self.part, self.index) = (part, index) }
    }

    /// The kind of a disturbance.
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

        /// The sort of process that it disturbs.
        public var part: Part {
            switch self {
            case .kill(let part), .stop(let part), .fill(let part), .cut(let part): part
            case .killAllLogs: .nats
            case .separate: .machine
            }
        }
    }

    /// The kind of the disturbance.
    public let kind: Kind
    /// The process of its sort, from 0 on; 0 when it disturbs all of them.
    public let server: Int
    /// Milliseconds after the beginning.
    public let at: Int
    /// Milliseconds after which it ends.
    public let lasts: Int

    /// The moment at which it ends, in milliseconds after the beginning.
    public var end: Int { at + lasts }

    /// The targets that no other disturbance may touch meanwhile. While a machine is cut off, no other machine is cut
    /// off, the servers of the log on the others run undisturbed, so that they have a majority, and so does the node of
    /// the next machine, so that a node can acknowledge requests. While two machines are separated, no machine is cut off.
    /// - Parameter servers: the number of processes of each sort.
    static func targets(of kind: Kind, on server: Int, _ servers: [Part: Int]) -> [Target] {
        let machines = (0..<(servers[.machine] ?? 0)).map { Target(.machine, $0) }
        let logs = (0..<(servers[.nats] ?? 0)).map { Target(.nats, $0) }
        let next = (server + 1) % max(servers[.node] ?? 0, 1)
        return switch kind {
        case .killAllLogs: logs
        case .cut(.machine):
            machines + logs + [Target(.node, server), Target(.node, next), Target(.store, server)]
        case .separate: machines
        case .kill(let part), .stop(let part), .fill(let part), .cut(let part): [Target(part, server)]
        }
    }
}

extension Disturbance: CustomStringConvertible {
    /// The disturbance and its time, for people.
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
