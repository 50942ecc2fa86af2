/// The copy of waiting events that the system may send while the process is suspended.
///
/// The copy is made a moment after the app has gone to the background. A withdrawal may come before that moment; then
/// no copy is handed to the system.
final class BackgroundCopy: Sendable {
    private let sender: any CopySender
    private let withdrawals = LockBox(0)

    init(_ sender: any CopySender) { self.sender = sender }

    /// The number of withdrawals so far, for `leave`.
    var mark: Int { withdrawals.withLock { $0 } }

    /// Hands a copy of the waiting events to the system, unless a withdrawal came after `mark` was read.
    func leave(_ uploader: Uploader, since mark: Int, _ done: @escaping @Sendable () -> Void) {
        uploader.copy { [withdrawals, sender] request in
            withdrawals.withLock { if let request, $0 == mark { sender.take(request) } }
            done()
        }
    }

    /// Withdraws a copy that was not sent: the app is open and sends the events itself, or the events are deleted.
    func withdraw() {
        withdrawals.withLock {
            $0 += 1
            sender.cancel()
        }
    }

    /// Called when the client ends. The system still sends the copy.
    func close() { sender.close() }
}
