@preconcurrency import Dispatch  // its sources may be used from any thread
import Foundation
import Synchronization

/// Notes SIGINT and SIGTERM, so that a round ends before the program does.
final class StopSignal: Sendable {
    private final class Flag: Sendable {
        let isRaised = Mutex(false)
    }

    private let flag: Flag
    private let sources: [any DispatchSourceSignal]

    init() {
        let flag = Flag()
        self.flag = flag
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { flag.isRaised.withLock { $0 = true } }
            source.resume()
            return source
        }
    }

    var isRaised: Bool { flag.isRaised.withLock { $0 } }
}
