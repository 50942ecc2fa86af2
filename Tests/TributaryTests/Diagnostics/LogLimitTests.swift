import Testing

@testable import Tributary

@Suite("The limit of warnings in the log")
struct LogLimitTests {
    @Test("Ten warnings of a kind are logged in a minute, and the next minute reports how many were left out")
    func flood() {
        var limit = LogLimit()
        let admitted = (0..<25).compactMap { limit.admit(.signals, at: 100 + Double($0)) }
        #expect(admitted.count == 10)
        #expect(admitted.dropLast().allSatisfy { $0 == LogLimit.Admission() })
        #expect(admitted.last == LogLimit.Admission(isLast: true))
        #expect(limit.admit(.signals, at: 159) == nil)
        #expect(limit.admit(.signals, at: 160) == LogLimit.Admission(omitted: 16))
        #expect(limit.admit(.signals, at: 161) == LogLimit.Admission())
    }

    @Test("A flood of warnings of one kind holds no warnings of other kinds back")
    func kinds() {
        var limit = LogLimit()
        for _ in 0..<1000 { _ = limit.admit(.signals, at: 1) }
        #expect(limit.admit(.pluginFault, at: 1) == LogLimit.Admission())
    }

    @Test("Rare warnings are all logged")
    func rare() {
        var limit = LogLimit()
        for minute in 0..<100 {
            #expect(limit.admit(.storage, at: Double(minute) * 60) == LogLimit.Admission())
        }
    }
}
