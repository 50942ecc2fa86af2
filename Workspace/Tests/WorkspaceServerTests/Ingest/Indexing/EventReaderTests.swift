import ClusterTestKit
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct EventReaderTests {
    private func reader(_ type: EventType? = nil, context: String? = nil) -> EventReader {
        EventReader(type: type, shared: context.flatMap(shared).map { [$0] } ?? [], receivedAt: 1_000)
    }

    private func shared(_ context: String) -> SharedMembers? {
        Array(context.utf8).withUnsafeBufferPointer { SharedMembers("context", 0..<$0.count, in: $0) }
    }

    private func read(_ text: String, with reader: EventReader) throws(Rejection) -> IncomingEvent {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(Rejection) in
            try reader.read(0..<bytes.count, of: bytes, madeId: "made")
        }
    }

    private func read(_ item: JSON, with reader: EventReader) throws(Rejection) -> IncomingEvent {
        try read(String(decoding: item.encoded(), as: UTF8.self), with: reader)
    }

    private func rejection(_ item: JSON, type: EventType? = nil) -> Rejection.Code? {
        do throws(Rejection) {
            _ = try read(item, with: reader(type))
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("[1]", Rejection.Code.notAnObject),
        (#"{"userId":"u"}"#, .unknownType),
        (#"{"type":null,"userId":"u"}"#, .unknownType),
        (#"{"type":"trak","userId":"u"}"#, .unknownType),
        (#"{"type":"identify"}"#, .noUser),
        (#"{"type":"identify","userId":"","anonymousId":null}"#, .noUser),
        (#"{"type":"identify","userId":{"id":1}}"#, .badField),
        (#"{"type":"track","userId":"u"}"#, .noEventName),
        (#"{"type":"track","userId":"u","event":""}"#, .noEventName),
        (#"{"type":"track","userId":"u","event":" \u3000"}"#, .noEventName),
        (#"{"type":"identify","userId":" \t"}"#, .noUser),
        (#"{"type":"group","userId":"u","groupId":" "}"#, .noGroup),
        (#"{"type":"alias","userId":" ","previousId":"p"}"#, .noUser),
        (#"{"type":"track","userId":"u","event":"A","messageId":" "}"#, .badMessageId),
        (#"{"type":"track","userId":"u","event":["a"]}"#, .badField),
        (#"{"type":"group","userId":"u"}"#, .noGroup),
        (#"{"type":"alias","userId":"u"}"#, .noAlias),
        (#"{"type":"alias","anonymousId":"a","previousId":"p"}"#, .noAlias),
        (#"{"type":"identify","userId":"u","messageId":7}"#, .badMessageId),
        (#"{"type":"identify","userId":"u","messageId":""}"#, .badMessageId),
    ])
    func anInvalidEventIsRefusedWithItsReason(_ text: String, _ code: Rejection.Code) throws {
        #expect(rejection(try JSON.parse(text)) == code)
    }

    @Test(arguments: [
        #"{"type":"identify","anonymousId":"a"}"#, #"{"type":"page","userId":"u"}"#,
        #"{"type":"track","userId":" ","anonymousId":"a","event":"A"}"#,
        #"{"type":"screen","userId":"u","name":"Home"}"#, #"{"type":"group","userId":"u","groupId":"g"}"#,
        #"{"type":"alias","userId":"u","previousId":"p"}"#, #"{"type":"track","userId":7,"event":"A"}"#,
    ])
    func aValidEventIsTaken(_ text: String) throws {
        #expect(rejection(try JSON.parse(text)) == nil)
    }

    @Test func aMessageIdHas99CharactersAtMost() {
        func event(_ count: Int) -> JSON {
            ["type": "identify", "userId": "u", "messageId": .string(String(repeating: "é", count: count))]
        }
        #expect(rejection(event(99)) == nil)
        #expect(rejection(event(100)) == .badMessageId)
    }

    @Test func anEventHas32KilobytesAtMost() throws {
        func event(_ count: Int) -> JSON {
            ["type": "identify", "userId": "u", "messageId": "m", "x": .string(String(repeating: "x", count: count))]
        }
        let overhead = event(0).encoded().count
        #expect(rejection(event(Limits.eventBytes - overhead)) == nil)
        #expect(rejection(event(Limits.eventBytes - overhead + 1)) == .tooLarge)
    }

    @Test("A stored event keeps the spelling of its numbers and the order of its keys")
    func body() throws {
        let text = #"{"type":"track","z":1.50,"a":12345678901234567890123,"event":"E","userId":"u","messageId":"m"}"#
        #expect(try read(text, with: reader()).body == Array(text.utf8))
    }

    @Test func anEventWithoutMessageIdGetsOne() throws {
        let event = try read(["type": "identify", "userId": "u"], with: reader())
        #expect(event.messageId == "made")
        #expect(try JSON.parse(event.body)["messageId"] == "made")
    }

    @Test func thePathNamesTheTypeOfASingleEvent() throws {
        let event = try read(["userId": "u", "name": "Home"], with: reader(.screen))
        #expect(event.type == .screen)
        #expect(event.name == "Home")
        #expect(try JSON.parse(event.body)["type"] == "screen")
    }

    @Test("Shared members of a batch only fill gaps in an event")
    func sharedMembers() throws {
        let reader = reader(context: #"{"ip":"1","os":"L"}"#)
        let event = try read(["type": "identify", "userId": "u", "context": ["ip": "2"]], with: reader)
        #expect(try JSON.parse(event.body)["context"] == ["ip": "2", "os": "L"])
        let odd = try read(["type": "identify", "userId": "u", "context": "text"], with: reader)
        #expect(try JSON.parse(odd.body)["context"] == "text")
    }

    @Test(
        "An event with members of its batch keeps the rest as its sender wrote it",
        arguments: [
            (#"{"n":1.50}"#, #"{"n":1.50,"a":1e2,"b":"\u00e9"}"#), (#"{"\u0061":2}"#, #"{"\u0061":2,"b":"\u00e9"}"#),
            (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#), (#"{ }"#, #"{"a":1e2,"b":"\u00e9"}"#), ("null", "null"),
        ])
    func spelling(_ own: String, _ expected: String) throws {
        let reader = reader(context: #"{ "a":0, "b":"\u00e9", "a" : 1e2 }"#)
        let text = #"{"type":"identify","userId":"u","context":1,"context":\#(own),"messageId":"m"}"#
        let body = #"{"type":"identify","userId":"u","context":\#(expected),"messageId":"m"}"#
        #expect(String(decoding: try read(text, with: reader).body, as: UTF8.self) == body)
    }

    @Test("Members of the batch count for the size of an event, unless the event has them itself")
    func sharedSize() throws {
        let large = String(repeating: "x", count: Limits.eventBytes)
        let reader = reader(context: #"{"a":"\#(large)","b":1}"#)
        let error = #expect(throws: Rejection.self) {
            try read(#"{"type":"identify","userId":"u","messageId":"m"}"#, with: reader)
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.reason == "an event has 32841 bytes with what its batch adds, at most 32768 are taken")
        let event = try read(#"{"type":"identify","userId":"u","context":{"a":1},"messageId":"m"}"#, with: reader)
        #expect(try JSON.parse(event.body)["context"] == ["a": 1, "b": 1])
    }

    @Test("The sentAt of an event overrides the batch, but not the header of the upload")
    func sentAt() throws {
        var reader = reader()
        let item: JSON = ["type": "identify", "userId": "u", "sentAt": "1970-01-01T00:00:05.000Z"]
        reader.sentAt = 7
        #expect(try read(item, with: reader).times.sentAt == 5_000)
        reader.sentAtIsFromUpload = true
        #expect(try read(item, with: reader).times.sentAt == 7)
    }

    @Test("An event is stored as one line without spaces between values")
    func oneLine() throws {
        let text =
            "{\n  \"type\" : \"identify\",\r\n\t\"userId\": \"a \\\" b\",\"messageId\":\"m\", \"x\" : [ 1 , 2 ] }"
        let body = try read(text, with: reader()).body
        #expect(
            String(decoding: body, as: UTF8.self) == #"{"type":"identify","userId":"a \" b","messageId":"m","x":[1,2]}"#
        )
    }

    @Test("The last value of a repeated key counts")
    func repeatedMembers() throws {
        let text = #"{"type":"page","type":"identify","userId":"a","user\u0049d":"b","messageId":"m"}"#
        let event = try read(text, with: reader())
        #expect(event.type == .identify)
        #expect(event.userId == "b")
    }

    /// Members of an object, some with ids of users, as they are made from a seed.
    private func members(_ random: inout SeededGenerator, most: Int) -> String {
        let values = [
            "1", "\"x\"", "{\"userId\":\"u-1\"}", "{\"traits\":{\"id\":7}}", "[{\"user_id\":\"u-2\"},[]]", "{}",
            "{\"id\":\"no\"}",
        ]
        let keys = ["a", "b", "c", "d", "userId", "traits", "id", "ip", "\\u0061"]
        let count = Int.random(in: 0...most, using: &random)
        return (0..<count).map { _ in
            "\"\(keys.randomElement(using: &random) ?? "")\":\(values.randomElement(using: &random) ?? "")"
        }.joined(separator: ",")
    }

    @Test(
        "An event gets the members of its batch that it lacks, and its users are found as in its text",
        arguments: 0..<300)
    func mergedMembers(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (batch, own) = (members(&random, most: 40), members(&random, most: 4))
        let hasOwn = Bool.random(using: &random)
        let text =
            #"{"type":"page","userId":"u","properties":{"p":1},"x":{"userId":"v"}\#(hasOwn ? #","context":{\#(own)}"# : "")}"#
        let event = try read(text, with: reader(context: "{\(batch)}"))

        let body = try JSON.parse(event.body)
        let expected = try JSON.parse(Array("{\(batch)}".utf8)).objectValue ?? [:]
        let ownMembers = try JSON.parse(Array("{\(hasOwn ? own : "")}".utf8)).objectValue ?? [:]
        let found = body["context"]?.objectValue ?? [:]
        for (key, value) in expected { #expect(found[key] == ownMembers[key] ?? value) }
        for (key, value) in ownMembers { #expect(found[key] == value) }
        #expect(Set(found.map(\.key)) == Set(expected.map(\.key)).union(ownMembers.map(\.key)))

        let (quick, whole) = (try event.scanned(), try ScannedBody.of(event.body))
        #expect(quick.ids.sorted() == whole.ids.sorted())
        #expect(quick.properties.map(\.key.range) == whole.properties.map(\.key.range))
    }

    @Test("A batch whose context names very many users makes rows that may name any user")
    func manyUsers() throws {
        let users = (0..<1_500).map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
        let event = try read(#"{"type":"page","userId":"u"}"#, with: reader(context: #"{"a":[\#(users)]}"#))
        #expect(DayMentions.entries(try event.scanned().ids) == [""])
    }
}
