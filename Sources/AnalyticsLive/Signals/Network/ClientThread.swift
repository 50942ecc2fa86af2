import Foundation

/// The thread on which a protocol was started, on which its client wants to be called.
struct ClientThread {
    #if canImport(Darwin)
    private let loop = CFRunLoopGetCurrent()

    func perform(_ work: @escaping () -> Void) {
        guard let loop else { return work() }
        CFRunLoopPerformBlock(loop, CFRunLoopMode.commonModes.rawValue, work)
        CFRunLoopWakeUp(loop)
    }
    #else
    /// Clients of the open Foundation may be called on any thread.
    func perform(_ work: @escaping () -> Void) { work() }
    #endif
}
