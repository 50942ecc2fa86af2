import Dispatch
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The run of an event through plugins")
struct EventRunTests {
    private let client = Client()

    private func run(_ form: InboxRecord.Form = .event, isReplay: Bool = false, messageId: String = "m") -> EventRun {
        EventRun(
            record: InboxRecord(form: form, trackedAt: 0, event: ["messageId": .string(messageId), "type": "track"]),
            closures: [], eventQueue: client.analytics.eventQueue, origin: nil, isFresh: false, isReplay: isReplay,
            recorder: nil)
    }

    @Test(
        "A replayed event goes to destinations only, an event of another library to the server only, and every other event to all"
    )
    func audience() {
        #expect(run().audience == .all)
        #expect(run(.decided).audience == .all)
        #expect(run(.carriedOver).audience == .server)
        #expect(run(isReplay: true).audience == .devices)
    }

    @Test("Events that are made of one event have ids that follow from its id, and a replay makes the same ids")
    func ids() {
        let executor = ClientExecutor(time: SystemTimeSource())
        for _ in 0..<2 {
            let made = executor.queue.sync { () -> [String?] in
                var ids = run().derivedIds
                return executor.process(&ids) { [executor.derivedId(), executor.derivedId()] }
            }
            #expect(made == ["m-1", "m-2"])
        }
        #expect(executor.derivedId() == nil)
        let between = executor.queue.sync { executor.derivedId() }
        #expect(between == nil)
    }

    @Test("A delayed event that goes on while another one is processed keeps its own ids, and so does the other event")
    func nested() {
        let executor = ClientExecutor(time: SystemTimeSource())
        let made = executor.queue.sync { () -> [String?] in
            var first = run(messageId: "a").derivedIds
            var second = run(messageId: "b").derivedIds
            var made = executor.process(&first) { [executor.derivedId()] }
            made += executor.process(&second) {
                [executor.derivedId()] + executor.process(&first) { [executor.derivedId()] } + [executor.derivedId()]
            }
            return made
        }
        #expect(made == ["a-1", "b-1", "a-2", "b-2"])
    }
}
