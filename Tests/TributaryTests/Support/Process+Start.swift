import Foundation

@testable import Tributary

/// How many were started so far.
private let starts = LockBox(0)

extension Process {
    /// Runs the program, one at a time: Foundation on Linux was seen to crash inside `run` while tests that start
    /// processes ran side by side.
    func start() throws {
        try starts.withLock { starts in
            starts += 1
            try run()
        }
    }
}
