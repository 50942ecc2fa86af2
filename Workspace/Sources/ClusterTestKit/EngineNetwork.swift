import Foundation
import Synchronization

/// A network of machines that can be cut off from one another.
///
/// Each machine is a network namespace with two links. Over the first link it reaches the other machines and this
/// program, until it is cut off. Over the second link it always reaches this program, and nothing else. The links are
/// made inside the network namespace of this program, so the program needs its own namespace, as `unshare --net` makes
/// it. The network disappears with the last process.
public final class EngineNetwork: Sendable {
    /// The machines.
    public let machines: [EngineMachine]
    private let shell: Process
    private let commands: FileHandle
    private let answers: FileHandle
    private let turn = Mutex(())

    /// Makes a network.
    /// - Parameter count: the number of machines, 250 at most.
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

    /// Cuts a machine off from all others. Packets on their way are lost.
    public func cut(_ machine: Int) throws { try ask("cut \(machine)") }

    /// Connects a machine again.
    public func join(_ machine: Int) throws { try ask("join \(machine)") }

    /// Blocks all traffic between two machines. Both still reach the others.
    public func separate(_ machine: Int, from other: Int) throws { try ask("separate \(machine) \(other)") }

    /// Connects two machines again that were separated.
    public func unite(_ machine: Int, with other: Int) throws { try ask("unite \(machine) \(other)") }

    private func ask(_ command: String) throws {
        try turn.withLock { _ in
            try commands.write(contentsOf: Data("\(command)\n".utf8))
            guard try Self.answer(answers) == "done" else {
                throw EngineProcess.Failure(description: "the network cannot do: \(command)")
            }
        }
    }

    private static func answer(_ answers: FileHandle) throws -> String {
        var line: [UInt8] = []
        while let byte = try answers.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// A machine is held by a process that ends with this shell. A cut takes its link to the bridge `inner` down.
    /// Separated machines send packets for each other to a hardware address that no machine has.
    private static let script = """
        set -e
        ip link set lo up
        ip link add inner type bridge
        ip address add 10.77.0.254/24 dev inner
        ip link set inner up
        inside() {
            local holder=${holders[$1]}
            shift
            nsenter "--net=/proc/$holder/ns/net" -- "$@"
        }
        mislead() {
            inside "$1" ip neighbour replace "10.77.0.$(($2 + 1))" lladdr 02:00:00:00:00:01 nud permanent dev inner
        }
        forget() { inside "$1" ip neighbour del "10.77.0.$(($2 + 1))" dev inner; }
        for ((i = 0; i < $1; i++)); do
            unshare --net tail --pid=$$ -f /dev/null >&2 &
            holders[i]=$!
            machine=/proc/$!/ns/net
            until [[ $(readlink "$machine") != "$(readlink /proc/$$/ns/net)" ]]; do sleep 0.01; done
            ip link add "inner$i" type veth peer name inner netns $!
            ip link set "inner$i" master inner up
            ip link add "outer$i" type veth peer name outer netns $!
            ip address add "10.78.$i.1/30" dev "outer$i"
            ip link set "outer$i" up
            inside $i ip link set lo up
            inside $i ip address add "10.77.0.$((i + 1))/24" dev inner
            inside $i ip link set inner up
            inside $i ip address add "10.78.$i.2/30" dev outer
            inside $i ip link set outer up
            echo ${holders[i]}
        done
        carry_out() {
            case $1 in
            cut) ip link set "inner$2" down ;;
            join) ip link set "inner$2" up ;;
            separate) mislead "$2" "$3" && mislead "$3" "$2" ;;
            unite) forget "$2" "$3" && forget "$3" "$2" ;;
            *) false ;;
            esac
        }
        while read -r command machine other; do
            if carry_out "$command" "$machine" "$other"; then echo done; else echo failed; fi
        done
        """
}
