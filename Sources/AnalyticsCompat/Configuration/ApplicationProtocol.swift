/// The part of an application that leaves time for work in the background.
public protocol ApplicationProtocol: AnyObject, Sendable {
    /// Asks for time.
    /// - Returns: a number for `seg_endBackgroundTask`.
    func seg_beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@Sendable () -> Void)?
    ) -> UInt
    /// Gives back what is left.
    func seg_endBackgroundTask(_ identifier: UInt)
}
