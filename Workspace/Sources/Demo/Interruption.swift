@preconcurrency import Dispatch  // its sources may be used from any thread
import Foundation
import ProgramSupport

/// Waits for SIGINT (Ctrl-C) or SIGTERM.
struct Interruption: Sendable {
    private let raised = Locked(false)
    private let signals: AsyncStream<Void>
    private let sources: Locked<[any DispatchSourceSignal]>

    /// Takes over SIGINT and SIGTERM for the process.
    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        let raised = raised
        sources = Locked(
            [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue.global())
                source.setEventHandler {
                    raised.withLock { $0 = true }
                    continuation.yield()
                }
                source.resume()
                return source
            })
    }

    var isRaised: Bool { raised.withLock { $0 } }

    /// Waits for it.
    func raise() async {
        guard !isRaised else { return }
        _ = await signals.first { _ in true }
    }
}
