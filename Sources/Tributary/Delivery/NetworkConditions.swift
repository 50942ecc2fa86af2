#if canImport(Darwin)
import Foundation
import Network

/// Sends only while there is a network, and only over such a one as the app allows.
///
/// A system that says that there is none is believed for a quarter of an hour at a time. What the app requires holds for as
/// long as it takes.
///
/// Unchecked because what changes is behind its lock, and the monitor may be started and cancelled on any thread.
public final class NetworkConditions: UploadConditions, @unchecked Sendable {
    /// The app's requirements of a network.
    public struct Requirements: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Requirements with those bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// No network that costs by the amount, such as cellular ones and hotspots.
        public static let inexpensive = Requirements(rawValue: 1)
        /// Not while the user saves data.
        public static let unconstrained = Requirements(rawValue: 2)
        /// Not while the device saves power.
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

    /// Conditions that hold from now on; nothing is required unless told.
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
        if requirements.contains(.fullPower), Self.savesPower { return UploadObstacle("the device saves power") }
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
            return UploadObstacle("the network costs by the amount")
        }
        if requirements.contains(.unconstrained), path.isConstrained { return UploadObstacle("the user saves data") }
        return nil
    }

    private static var savesPower: Bool {
        guard #available(macOS 12.0, *) else { return false }
        return ProcessInfo.processInfo.isLowPowerModeEnabled
    }
}
#endif
