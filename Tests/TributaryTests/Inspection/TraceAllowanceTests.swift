import Testing

@testable import Tributary

@Suite("The allowance of ordered traces") struct TraceAllowanceTests {
    @Test("A minute has room for a number of traces and of bytes, and the next minute has room again")
    func minute() {
        var allowance = TraceAllowance()
        let half = TraceAllowance.bytes / 2
        #expect(allowance.take(bytes: half, at: 5) == true)
        #expect(allowance.take(bytes: half, at: 6) == true)
        #expect(allowance.take(bytes: 1, at: 64.9) == false)
        #expect(allowance.take(bytes: 1, at: 65) == true)
    }

    @Test("A trace that is larger than a minute's room is never sent")
    func large() {
        var allowance = TraceAllowance()
        #expect(allowance.take(bytes: TraceAllowance.bytes + 1, at: 5) == false)
        #expect(allowance.take(bytes: .max, at: 6) == false)
        #expect(allowance.take(bytes: TraceAllowance.bytes, at: 7) == true)
    }
}
