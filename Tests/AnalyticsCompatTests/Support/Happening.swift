import Tributary

/// Something that happens once.
final class Happening: Sendable {
    private let state = LockBox<(happened: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func send() {
        let waiting = state.withLock { state in
            state.happened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let happened = state.withLock { state in
                if !state.happened { state.waiting.append(continuation) }
                return state.happened
            }
            if happened { continuation.resume() }
        }
    }
}
