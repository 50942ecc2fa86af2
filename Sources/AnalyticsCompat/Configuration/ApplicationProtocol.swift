/// The part of an application object that grants time for work in the background.
public protocol ApplicationProtocol: AnyObject, Sendable {
    /// Requests time.
    /// - Returns: a number for `seg_endBackgroundTask`.
    func seg_beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@Sendable () -> Void)?
    ) -> UInt
    /// Ends the task.
    func seg_endBackgroundTask(_ identifier: UInt)
}
