import Testing

@testable import Tributary

@Suite("The mailbox between the executor and a destination's thread")
struct DestinationMailboxTests {
    private var mailbox = DestinationMailbox(isFree: true)

    private func call(isVital: Bool = false) -> DestinationMailbox.Work { .call(isVital: isVital) { _ in } }

    @Test("Work wakes the thread once, until the thread has nothing left")
    mutating func wake() {
        let isWokenWithoutWork = mailbox.wake(at: 0, isTurn: true)
        #expect(!isWokenWithoutWork)
        mailbox.put([call(), call()])
        let isWoken = [mailbox.wake(at: 1, isTurn: true), mailbox.wake(at: 2, isTurn: true)]
        #expect(isWoken == [true, false])
        #expect(mailbox.woken.work == 1)
        #expect(mailbox.woken.at == 1)
        let work = [mailbox.next(isTurn: true), mailbox.next(isTurn: true), mailbox.next(isTurn: true)]
        #expect(work.map { $0 != nil } == [true, true, false])
        #expect(mailbox.begun == 2)
        #expect(!mailbox.isWorking)
    }

    @Test("A destination that takes turns works only during its turn")
    mutating func turns() {
        mailbox = DestinationMailbox(isFree: false)
        mailbox.put([call()])
        let isWokenOutOfTurn = mailbox.wake(at: 0, isTurn: false)
        #expect(!isWokenOutOfTurn)
        let isWoken = mailbox.wake(at: 0, isTurn: true)
        #expect(isWoken)
        let work = mailbox.next(isTurn: false)
        #expect(work.map { _ in true } == nil)
        #expect(mailbox.waiting.count == 1)
    }

    @Test("The executor is notified once of outcomes that it has not taken")
    mutating func outcomes() {
        let isNews = [mailbox.add(.called), mailbox.add(.called)]
        #expect(isNews == [true, false])
        let taken = mailbox.takeOutcomes().count
        #expect(taken == 2)
        let isNewsAgain = mailbox.add(.called)
        #expect(isNewsAgain)
    }

    @Test("Vital calls stay when waiting work is dropped")
    mutating func vital() {
        mailbox.put([call(), call(isVital: true), call()])
        let dropped = mailbox.dropWaiting()
        #expect(dropped.unbegun == 3)
        #expect(dropped.vital == 1)
        #expect(mailbox.waiting.count == 1)
    }
}
