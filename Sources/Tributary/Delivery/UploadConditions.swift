/// Knows whether events may be sent now. While they may not, they wait on the device.
///
/// May be asked from any thread, and often: an answer should cost next to nothing.
public protocol UploadConditions: Sendable {
    /// The obstacle to sending; nil when there is none.
    var obstacle: UploadObstacle? { get }
    /// Takes a function to call each time that the answer may be another one, from any thread. Called once for each place
    /// where events wait.
    func observe(_ changed: @escaping @Sendable () -> Void)
}
