/// Where servers of a test run: on this machine, or on one of an `EngineNetwork`.
public struct EngineMachine: Sendable {
    /// The address at which its servers are reached by those of other machines.
    public let address: String
    /// The address at which clients reach it, also while it is cut off from the other machines.
    public let door: String
    /// A process that is on the machine; nil for the one that this program runs on.
    let holder: Int32?

    /// The machine that this program runs on.
    public static let local = EngineMachine(address: "127.0.0.1", door: "127.0.0.1", holder: nil)

    /// So many machines: the first ones of a list, and this one for those that are missing.
    static func list(_ machines: [EngineMachine], count: Int) -> [EngineMachine] {
        Array((machines + Array(repeating: .local, count: count)).prefix(count))
    }

    /// A command that runs another one there.
    func entering(_ command: [String]) -> [String] {
        guard let holder else { return command }
        return ["/usr/bin/nsenter", "--net=/proc/\(holder)/ns/net", "--"] + command
    }
}
