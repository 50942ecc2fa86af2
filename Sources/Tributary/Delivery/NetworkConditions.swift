#if canImport(Darwin)
import Foundation
import Network

/// Allows sending only while there is a network, and only over networks that the app accepts.
///
/// When the system reports that there is no network, the client tries all the same after a quarter of an hour, because
/// the report may be wrong. The app's requirements hold without such a limit.
///
/// Unchecked because changing state is behind its lock, and the monitor may be started and cancelled on any thread.
public final class NetworkConditions: UploadConditions, @unchecked Sendable {
    /// The app's requirements of a network.
    public struct Requirements: OptionSet, Sendable {
        /// The requirements as bits.
        public let rawValue: Int
        /// Requirements with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// No metered network, such as a cellular one or a hotspot.
        public static let inexpensive = Requirements(rawValue: 1)
        /// No network while the user saves data (Low Data Mode).
        public static let unconstrained = Requirements(rawValue: 2)
        /// No sending while the device saves power (Low Power Mode).
        public static let fullPower = Requirements(rawValue: 4)
    }

    private struct State {
        var obstacle: UploadObstacle?
        var observers: [@Sendable () -> Void] = []
    }

    private let requirements: Requirements
    private let monitor = NWPathMonitor()
    private let state = LockBox(State())
    private var powerWatch: (any NSObjectProtocol)?

    /// Conditions with these requirements; without any, only a network is needed.
    public init(_ requirements: Requirements = []) {
        self.requirements = requirements
        monitor.pathUpdateHandler = { [state] path in
            let obstacle = Self.obstacle(of: path, requirements)
            let observers = state.withLock { state in
                state.obstacle = obstacle
                return state.observers
            }
            for observer in observers { observer() }
        }
        monitor.start(queue: DispatchQueue(label: "tributary.conditions", qos: .utility))
        guard requirements.contains(.fullPower), #available(macOS 12.0, *) else { return }
        powerWatch = NotificationCenter.default.addObserver(
            forName: .NSProcessInfoPowerStateDidChange, object: nil, queue: nil
        ) { [state] _ in
            for observer in state.withLock({ $0.observers }) { observer() }
        }
    }

    deinit {
        monitor.cancel()
        if let powerWatch { NotificationCenter.default.removeObserver(powerWatch) }
    }

    public var obstacle: UploadObstacle? {
        if requirements.contains(.fullPower), DevicePower.isSaved { return UploadObstacle("the device saves power") }
        return state.withLock { $0.obstacle }
    }

    public func observe(_ changed: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(changed) }
    }

    private static func obstacle(of path: NWPath, _ requirements: Requirements) -> UploadObstacle? {
        guard path.status != .unsatisfied else {
            return UploadObstacle("there is no network", retryAfter: Limits.doubtfulObstacle)
        }
        if requirements.contains(.inexpensive), path.isExpensive {
            return UploadObstacle("the network is metered")
        }
        if requirements.contains(.unconstrained), path.isConstrained { return UploadObstacle("the user saves data") }
        return nil
    }
}
#endif
