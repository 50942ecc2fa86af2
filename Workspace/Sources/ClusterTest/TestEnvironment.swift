import ClusterTestKit

/// The means that the system gives the test: disks that can fill up, and a network that can be divided.
struct TestEnvironment {
    /// The size of the disks that are filled; nil when none can be made.
    let diskMegabytes: Int?
    /// Nil when everything runs on this machine.
    let network: EngineNetwork?

    /// One for each node with its engines, and one for ZooKeeper.
    static let machineCount = TestNodes.count + 1
    /// Servers of NATS need more space than the streams reserve. Only used space takes memory.
    private static let megabytes = 16_384

    /// Tries to get these means, and prints those that are not available.
    /// - Parameters:
    ///   - kinds: the disturbances that the run will use.
    ///   - hasOwnNetwork: whether this program was started in a network namespace of its own.
    init(for kinds: [Disturbance.Kind], hasOwnNetwork: Bool) {
        diskMegabytes = kinds.contains(.fill(.store)) ? Self.disk() : nil
        network = kinds.contains(.cut(.machine)) ? Self.network(hasOwnNetwork) : nil
    }

    /// The machines of the nodes. Each node runs together with the engines of the same number.
    var machines: [EngineMachine] {
        network?.machines ?? Array(repeating: .local, count: Self.machineCount)
    }

    /// The machine of ZooKeeper.
    var coordinator: EngineMachine { machines.last ?? .local }

    /// Whether a kind of disturbance is possible here.
    func allows(_ kind: Disturbance.Kind) -> Bool {
        switch kind {
        case .fill: diskMegabytes != nil
        case .cut, .separate: network != nil
        case .kill, .killAllLogs, .stop: true
        }
    }

    private static func disk() -> Int? {
        do {
            let folder = try EngineFolder()
            _ = try EngineDisk(at: folder.folder("disk"), megabytes: 1)
            return megabytes
        } catch {
            print("cluster-test: no disk is filled: \(error)")
            return nil
        }
    }

    private static func network(_ hasOwnNetwork: Bool) -> EngineNetwork? {
        guard hasOwnNetwork else {
            print("cluster-test: no machine is cut off: the program has no network of its own")
            return nil
        }
        do {
            return try EngineNetwork(machines: machineCount)
        } catch {
            print("cluster-test: no machine is cut off: \(error)")
            return nil
        }
    }
}
