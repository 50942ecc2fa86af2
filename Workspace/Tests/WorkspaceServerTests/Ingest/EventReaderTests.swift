import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite struct EventReaderTests {
    private func reader(_ type: EventType? = nil, shared: [(key: String, value: JSONObject)] = []) -> EventReader {
        EventReader(type: type, shared: shared, receivedAt: 1_000, makeMessageId: { "made" })
    }

    private func rejection(_ item: JSON, type: EventType? = nil) -> Rejection.Code? {
        do throws(Rejection) {
            _ = try reader(type).read(item)
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

    @Test func theBodyKeepsSpellingsAndOrder() throws {
        let text = #"{"type":"track","z":1.50,"a":12345678901234567890123,"event":"E","userId":"u","messageId":"m"}"#
        #expect(try reader().read(try JSON.parse(text)).body == Array(text.utf8))
    }

    @Test func anEventWithoutMessageIdGetsOne() throws {
        let event = try reader().read(["type": "identify", "userId": "u"])
        #expect(event.messageId == "made")
        #expect(try JSON.parse(event.body)["messageId"] == "made")
    }

    @Test func thePathNamesTheTypeOfASingleEvent() throws {
        let event = try reader(.screen).read(["userId": "u", "name": "Home"])
        #expect(event.type == .screen)
        #expect(event.name == "Home")
        #expect(try JSON.parse(event.body)["type"] == "screen")
    }

    @Test func whatTheBatchSharesFillsGapsOnly() throws {
        let shared: [(key: String, value: JSONObject)] = [("context", ["ip": "1", "os": "L"])]
        let event = try reader(shared: shared).read(["type": "identify", "userId": "u", "context": ["ip": "2"]])
        #expect(try JSON.parse(event.body)["context"] == ["ip": "2", "os": "L"])
        let odd = try reader(shared: shared).read(["type": "identify", "userId": "u", "context": "text"])
        #expect(try JSON.parse(odd.body)["context"] == "text")
    }

    @Test func anEventsOwnSentAtCountsUnlessTheUploadSaysOtherwise() throws {
        var reader = reader()
        let item: JSON = ["type": "identify", "userId": "u", "sentAt": "1970-01-01T00:00:05.000Z"]
        reader.sentAt = 7
        #expect(try reader.read(item).times.sentAt == 5_000)
        reader.sentAtIsFromUpload = true
        #expect(try reader.read(item).times.sentAt == 7)
    }
}
