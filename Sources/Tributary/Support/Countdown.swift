/// Calls back when everything that was begun has ended.
///
/// Only used on one queue.
class Countdown {
    /// The number of pieces of work under way, plus one until `release` is called.
    private var open = 1
    private var completion: (() -> Void)?

    var isOver: Bool { open == 0 }

    func hold() { open += 1 }

    func release() {
        open -= 1
        guard isOver, let completion else { return }
        self.completion = nil
        completion()
    }

    /// Sets the completion. Call it before `release`.
    func whenOver(_ completion: @escaping () -> Void) { self.completion = completion }
}
