import Foundation

// https://developer.apple.com/documentation/backgroundtasks/bgtask
@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTask: NSObject {
    public var expirationHandler: (() -> Void)?
    open func setTaskCompleted(success: Bool) {}
}

// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler
@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTaskScheduler: NSObject {
    // Of the scheduler that the system has, which may be used from any thread; Apple's header does not say Sendable.
    nonisolated(unsafe) public static let shared = BGTaskScheduler()
    // https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/register(fortaskwithidentifier:using:launchhandler:)
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { true }
    // https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:)
    open func submit(_ taskRequest: BGTaskRequest) throws {}
}

// https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest
@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTaskRequest: NSObject {
    public let identifier: String
    public var earliestBeginDate: Date?
    fileprivate init(_ identifier: String) { self.identifier = identifier }
}

// https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtaskrequest
@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(identifier) }
}
