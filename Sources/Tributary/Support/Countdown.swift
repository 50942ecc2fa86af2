/// Calls back once everything that was begun has ended.
///
/// Only used on one queue.
class Countdown {
    /// How much is under way; plus one, until its maker has begun everything.
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

    /// To be called before the maker calls `release`.
    func whenOver(_ completion: @escaping () -> Void) { self.completion = completion }
}
