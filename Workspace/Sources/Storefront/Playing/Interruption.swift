import Dispatch
import Foundation
import ProgramSupport

/// Notes the first SIGINT (Ctrl-C) or SIGTERM, so that the run can end early. The second one ends the process.
final class Interruption {
    private let raised = Locked(false)
    private var sources: [any DispatchSourceSignal] = []

    /// Takes over these signals for the process.
    init(signals: [Int32] = [SIGINT, SIGTERM]) {
        sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue.global())
            source.setEventHandler { [raised] in Self.raise(number, raised) }
            source.resume()
            return source
        }
    }

    var isRaised: Bool { raised.withLock { $0 } }

    /// Acts as if a signal had arrived.
    func raise() { raised.withLock { $0 = true } }

    private static func raise(_ number: Int32, _ raised: Locked<Bool>) {
        let isSecond = raised.withLock { raised in
            defer { raised = true }
            return raised
        }
        guard isSecond else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
