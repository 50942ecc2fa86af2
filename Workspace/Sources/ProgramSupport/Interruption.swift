@preconcurrency import Dispatch  // its sources may be used from any thread
import Foundation

/// Notes the first SIGINT (Ctrl-C) or SIGTERM, so that a program ends in order.
package final class Interruption: Sendable {
    /// The effect of the signals after the first.
    package enum Further: Sendable {
        case ignored
        /// The person does not want to wait for the end in order.
        case endsProcess
    }

    private let raised: Locked<Bool>
    private let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Takes over these signals for the process.
    package init(signals numbers: [Int32] = [SIGINT, SIGTERM], further: Further = .ignored) {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let raised = Locked(false)
        (self.signals, self.continuation, self.raised) = (signals, continuation, raised)
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue.global())
            source.setEventHandler {
                let isFurther = Self.raise(raised, continuation)
                guard isFurther, further == .endsProcess else { return }
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            source.resume()
            return source
        }
    }

    package var isRaised: Bool { raised.withLock { $0 } }

    /// Acts as if a signal had arrived.
    package func raise() { _ = Self.raise(raised, continuation) }

    /// Waits for the first signal. Only one caller may wait.
    package func wait() async {
        guard !isRaised else { return }
        _ = await signals.first { _ in true }
    }

    /// - Returns: whether it was raised before.
    private static func raise(_ raised: Locked<Bool>, _ continuation: AsyncStream<Void>.Continuation) -> Bool {
        continuation.yield()
        return raised.withLock { raised in
            defer { raised = true }
            return raised
        }
    }
}
