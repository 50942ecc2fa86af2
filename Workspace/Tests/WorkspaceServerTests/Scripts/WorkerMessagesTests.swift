import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Messages between the server and a worker") struct WorkerMessagesTests {
    private func content(_ message: [UInt8]) -> [UInt8] { Array(message.dropFirst(WorkerMessages.headBytes)) }

    @Test("Questions and answers come through whole", arguments: [0, 1, 3])
    func whole(_ count: Int) {
        let bundle = WorkerBundle(
            source: "class A {}\n\u{1F600}", name: "a.js", writeKey: "WK", version: 7, settings: ["integrations": [:]])
        let events = (0..<count).map { Array("{\"n\":\($0)}".utf8) }
        let function = WorkerFunction(source: "class A {}", name: "f.js", settings: ["a": 1], nonce: "00")
        let questions: [WorkerQuestion] = [
            .load(bundle), .events(events, wantsHealth: count == 1), .loadFunction(function),
            .call(events, isBatch: count == 3), .judge(["status": 201, "body": "no", "number": 1], events),
        ]
        for question in questions {
            #expect(WorkerMessages.question(content(WorkerMessages.encoded(question))) == question)
        }
        let outcomes = [
            ScriptedEvent(.unchanged), ScriptedEvent(.dropped, made: events), ScriptedEvent(.changed([123, 125])),
        ]
        let answers: [WorkerAnswer] = [
            .loaded(confinement: nil), .loaded(confinement: "no"), .refused("line 3"),
            .events(Array(outcomes.prefix(count)), failure: nil, health: nil),
            .events(outcomes, failure: "memory", health: ["version": "7"]),
            .function(declaration: ["class": "A"], confinement: nil), .function(declaration: [:], confinement: "no"),
            .called(["requests": []]),
        ]
        for answer in answers {
            let message = WorkerMessages.encoded(answer)
            #expect(message.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == message.count - 4)
            #expect(WorkerMessages.answer(content(message)) == answer)
        }
    }

    @Test("A message that is cut off or makes no sense is none")
    func damaged() {
        let whole = content(
            WorkerMessages.encoded(
                .events([ScriptedEvent(.changed([1, 2, 3]), made: [[4]])], failure: nil, health: nil)))
        for count in 0..<whole.count { #expect(WorkerMessages.answer(Array(whole.prefix(count))) == nil) }
        #expect(WorkerMessages.answer([9, 0, 0, 0, 0]) == nil)
        #expect(WorkerMessages.answer([3, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]) == nil)
        #expect(WorkerMessages.question([1, 2, 0, 0, 0, 123, 125]) == nil)
        #expect(WorkerMessages.question([]) == nil)
    }
}
