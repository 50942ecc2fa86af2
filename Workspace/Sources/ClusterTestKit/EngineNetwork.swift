import Foundation
import Synchronization

/// A network of machines that can be cut off from one another.
///
/// Each machine is a network namespace with two links. Over one it reaches the other machines and this program, until it is
/// cut off. Over the other one it reaches nobody but this program, always. It is made inside of the network namespace of
/// this program, so that has to be one of its own, as `unshare --net` makes it. All of it goes with the last process.
public final class EngineNetwork: Sendable {
    /// The machines.
    public let machines: [EngineMachine]
    private let shell: Process
    private let commands: FileHandle
    private let answers: FileHandle
    private let turn = Mutex(())

    /// Makes a network.
    /// - Parameter count: its machines, 250 at most.
    /// - Throws: `EngineProcess.Failure` when the system does not allow it.
    public init(machines count: Int) throws {
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", Self.script, "network", "\(count)"]
        let (input, output) = (Pipe(), Pipe())
        (shell.standardInput, shell.standardOutput) = (input, output)
        (commands, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
        try shell.run()
        var machines: [EngineMachine] = []
        for index in 0..<count {
            guard let holder = Int32(try Self.answer(answers)) else {
                throw EngineProcess.Failure(description: "network namespaces cannot be made or connected here")
            }
            machines.append(
                EngineMachine(address: "10.77.0.\(index + 1)", door: "10.78.\(index).2", holder: holder))
        }
        self.machines = machines
    }

    deinit { try? commands.close() }

    /// Cuts a machine off from all others. What is on its way is lost.
    public func cut(_ machine: Int) throws { try ask("down", machine) }

    /// Connects a machine again.
    public func join(_ machine: Int) throws { try ask("up", machine) }

    private func ask(_ command: String, _ machine: Int) throws {
        try turn.withLock { _ in
            try commands.write(contentsOf: Data("\(machine) \(command)\n".utf8))
            guard try Self.answer(answers) == "done" else {
                throw EngineProcess.Failure(description: "the link of machine \(machine) cannot be set \(command)")
            }
        }
    }

    private static func answer(_ answers: FileHandle) throws -> String {
        var line: [UInt8] = []
        while let byte = try answers.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// A machine is held by a process that ends with this shell. Its link to the bridge `inner` is the one that is cut.
    private static let script = """
        set -e
        ip link set lo up
        ip link add inner type bridge
        ip address add 10.77.0.254/24 dev inner
        ip link set inner up
        for ((i = 0; i < $1; i++)); do
            unshare --net tail --pid=$$ -f /dev/null >&2 &
            machine=/proc/$!/ns/net
            until [[ $(readlink "$machine") != "$(readlink /proc/$$/ns/net)" ]]; do sleep 0.01; done
            ip link add "inner$i" type veth peer name inner netns $!
            ip link set "inner$i" master inner up
            ip link add "outer$i" type veth peer name outer netns $!
            ip address add "10.78.$i.1/30" dev "outer$i"
            ip link set "outer$i" up
            inside=(nsenter "--net=$machine" --)
            "${inside[@]}" ip link set lo up
            "${inside[@]}" ip address add "10.77.0.$((i + 1))/24" dev inner
            "${inside[@]}" ip link set inner up
            "${inside[@]}" ip address add "10.78.$i.2/30" dev outer
            "${inside[@]}" ip link set outer up
            echo $!
        done
        while read -r machine state; do
            if ip link set "inner$machine" "$state"; then echo done; else echo failed; fi
        done
        """
}
