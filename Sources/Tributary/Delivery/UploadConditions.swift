/// Decides whether events may be sent now. Otherwise they wait on the device.
///
/// The client reads `obstacle` often and from any thread, so an answer should cost next to nothing.
public protocol UploadConditions: Sendable {
    /// The obstacle to sending; nil when there is none.
    var obstacle: UploadObstacle? { get }
    /// Takes a function that the conditions call, from any thread, each time that `obstacle` may have changed. A
    /// client calls this once.
    func observe(_ changed: @escaping @Sendable () -> Void)
}
