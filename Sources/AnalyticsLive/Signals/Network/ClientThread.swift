import Foundation

/// The thread on which a protocol was started. Its client has to be called there.
struct ClientThread {
    #if canImport(Darwin)
    private let loop = CFRunLoopGetCurrent()

    func perform(_ work: @escaping () -> Void) {
        guard let loop else { return work() }
        CFRunLoopPerformBlock(loop, CFRunLoopMode.commonModes.rawValue, work)
        CFRunLoopWakeUp(loop)
    }
    #else
    /// Clients of the open-source Foundation may be called on any thread.
    func perform(_ work: @escaping () -> Void) { work() }
    #endif
}
