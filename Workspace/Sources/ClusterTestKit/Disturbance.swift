/// Something that is done to the parts of a cluster.
public struct Disturbance: Sendable, Equatable {
    /// A sort of process.
    public enum Part: String, Sendable, CaseIterable {
        /// A server that takes requests and moves the log into the store.
        case node
        /// A server of the log.
        case nats
        /// A replica of the store.
        case store
        /// What coordinates the replicas.
        case zooKeeper = "ZooKeeper"
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

        /// The sort of process that it is done to.
        public var part: Part {
            switch self {
            case .kill(let part), .stop(let part), .fill(let part): part
            case .killAllLogs: .nats
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
}

extension Disturbance: CustomStringConvertible {
    /// What is done when, for people.
    public var description: String {
        let name =
            switch kind {
            case .kill(let part): "kill \(part.rawValue) \(server)"
            case .killAllLogs: "kill all logs"
            case .stop(let part): "stop \(part.rawValue) \(server)"
            case .fill(let part): "fill the disk of \(part.rawValue) \(server)"
            }
        return "from \(at) ms to \(end) ms: \(name)"
    }
}
