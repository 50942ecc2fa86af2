/// A machine for servers of a test: this one, or a machine of an `EngineNetwork`.
public struct EngineMachine: Sendable {
    /// The address at which servers of other machines reach its servers.
    public let address: String
    /// The address at which clients reach it, also while it is cut off from the other machines.
    public let door: String
    /// A process on the machine; nil for the machine of this program.
    let holder: Int32?

    /// The machine of this program.
    public static let local = EngineMachine(address: "127.0.0.1", door: "127.0.0.1", holder: nil)

    /// A number of machines: the first of a list, then this machine for the rest.
    static func list(_ machines: [EngineMachine], count: Int) -> [EngineMachine] {
        Array((machines + Array(repeating: .local, count: count)).prefix(count))
    }

    /// A command that runs another one on the machine.
    func entering(_ command: [String]) -> [String] {
        guard let holder else { return command }
        return ["/usr/bin/nsenter", "--net=/proc/\(holder)/ns/net", "--"] + command
    }
}
