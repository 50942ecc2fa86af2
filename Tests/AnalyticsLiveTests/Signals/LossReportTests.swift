import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Reports of lost signals")
struct LossReportTests {
    @Test("The first loss is reported at once, later losses as a sum after some seconds")
    func flood() async {
        let (time, told) = (ManualTime(), LockBox<[Int]>([]))
        let losses = LossReport(time: time) { lost in told.withLock { $0.append(lost) } }
        for _ in 0..<500 { losses.add(2) }
        #expect(told.withLock { $0 } == [2])
        await time.scheduled(in: SignalLimits.lossReportInterval)
        time.advance(by: SignalLimits.lossReportInterval)
        await time.scheduled(in: SignalLimits.lossReportInterval)
        #expect(told.withLock { $0 } == [2, 998])
        time.advance(by: SignalLimits.lossReportInterval)
        losses.add(1)
        #expect(told.withLock { $0.reduce(0, +) } <= 1001)
    }
}
