import ClusterTestKit
import Synchronization

/// Starts engines again that ended by themselves, as the service manager of a system does.
///
/// ClickHouse 18.16 sometimes aborts when its connection to ZooKeeper breaks off.
final class ServiceManager: Sendable {
    private let engines: [EngineProcess]
    private let count = Mutex(0)

    init(_ engines: [EngineProcess]) { self.engines = engines }

    /// How many engines were started again.
    var restarts: Int { count.withLock { $0 } }

    /// Works until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            for engine in engines where engine.hasEndedByItself {
                engine.kill()
                do {
                    try engine.start()
                    count.withLock { $0 += 1 }
                } catch {
                    print("cluster-test: an engine that ended by itself cannot be started again: \(error)")
                }
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
