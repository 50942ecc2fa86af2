import Dispatch
import Foundation
import Testing

@testable import Tributary

@Suite("The gate for threads at the end of the process")
struct ExitGateTests {
    @Test("The exit gate waits for requests inside, and lets no request in afterwards")
    func closing() {
        let gate = ExitGate()
        let (isInside, mayGo, isClosed) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let order = LockBox<[String]>([])
        Thread {
            gate.pass {
                isInside.signal()
                mayGo.wait()
                order.withLock { $0.append("left") }
            }
            gate.pass { order.withLock { $0.append("came back") } }
        }.start()
        isInside.wait()
        Thread {
            let isEmpty = gate.close(within: 60)
            order.withLock { $0.append(isEmpty ? "closed" : "gave up") }
            isClosed.signal()
        }.start()
        mayGo.signal()
        isClosed.wait()
        let result = order.withLock { $0 }
        #expect(result.last == "closed" && result.contains("left"))
    }

    @Test("The exit gate waits with a limit")
    func staying() {
        let gate = ExitGate()
        let (isInside, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread {
            gate.pass {
                isInside.signal()
                mayGo.wait()
            }
        }.start()
        isInside.wait()
        #expect(!gate.close(within: 0.01))
        mayGo.signal()
    }
}
