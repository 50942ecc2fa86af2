/// The copy of waiting events that the system may send while the process is suspended.
///
/// A copy is made a moment after the app has gone to the background. What withdraws it may come before that: then the copy is
/// not left.
final class BackgroundCopy: Sendable {
    private let sender: any CopySender
    private let withdrawals = LockBox(0)

    init(_ sender: any CopySender) { self.sender = sender }

    /// The number of withdrawals so far, for `leave`.
    var mark: Int { withdrawals.withLock { $0 } }

    /// Leaves a copy of what waits to the system, unless one was withdrawn since `mark` was read.
    func leave(_ uploader: Uploader, since mark: Int, _ done: @escaping @Sendable () -> Void) {
        uploader.copy { [withdrawals, sender] request in
            withdrawals.withLock { if let request, $0 == mark { sender.take(request) } }
            done()
        }
    }

    /// Takes back what was not sent: the app is open and sends it itself, or its events are given up.
    func withdraw() {
        withdrawals.withLock {
            $0 += 1
            sender.cancel()
        }
    }

    /// The client has ended. What was left to the system is sent all the same.
    func close() { sender.close() }
}
