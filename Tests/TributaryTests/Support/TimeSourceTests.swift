import Dispatch
import Foundation
import Testing

@testable import Tributary

@Suite("The clock of the system")
struct TimeSourceTests {
    private let time = SystemTimeSource()
    private let queue = DispatchQueue(label: "test")

    @Test("Work runs once at its time although nobody holds its timer")
    func once() async {
        let ran = LockBox(0)
        _ = time.schedule(after: 0.001, on: queue) { ran.withLock { $0 += 1 } }
        await passed(0.1)
        #expect(ran.current == 1)
    }

    @Test("Cancelled work does not run, however late it is cancelled", arguments: [true, false])
    func cancelled(isLate: Bool) async {
        let ran = LockBox(false)
        let work = time.schedule(after: isLate ? 0 : 0.01, on: queue) { ran.withLock { $0 = true } }
        if isLate {
            await passed(0.01)
            #expect(ran.current)
        }
        work.cancel()
        work.cancel()
        await passed(0.05)
        #expect(ran.current == isLate)
    }

    @Test("A timer lets go of its work when it has fired or was cancelled", arguments: [true, false])
    func released(isCancelled: Bool) async {
        weak var held: LockBox<Int>?
        do {
            let object = LockBox(0)
            held = object
            let work = time.schedule(after: isCancelled ? 1000 : 0.001, on: queue) { _ = object }
            if isCancelled { work.cancel() }
        }
        await passed(0.05)
        #expect(held == nil)
    }

    /// Later work on the same queue has run.
    private func passed(_ seconds: TimeInterval) async {
        await withCheckedContinuation { continuation in
            _ = time.schedule(after: seconds, on: queue) { continuation.resume() }
        }
    }
}
