@preconcurrency import Dispatch  // its sources may be used from any thread
import Foundation
import Synchronization

/// Notes SIGINT and SIGTERM, so that a round ends before the program does.
final class StopSignal: Sendable {
    private let raised = Mutex(false)
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    init() {
        sources.withLock { sources in
            for number in [SIGINT, SIGTERM] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in self?.raised.withLock { $0 = true } }
                source.resume()
                sources.append(source)
            }
        }
    }

    var isRaised: Bool { raised.withLock { $0 } }
}
