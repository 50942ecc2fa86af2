import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The scan of a body for users and members") struct ScannedBodyTests {
    @Test(
        "The scan finds the ids of users in a body",
        arguments: [
            (#"{"userId":"a","properties":{"color":"b","id":"c"}}"#, ["a"]),
            (#"{"type":"alias","userId":"new","previousId":"old"}"#, ["new", "old"]),
            (#"{"context":{"traits":{"id":"t","name":"n","list":[{"id":"no"}]}},"traits":[{"id":7}]}"#, ["t", "7"]),
            (#"{"stages":[{"event":{"user_id":["x",{"userId":15},["y"]]}}]}"#, ["x", "15", "y"]),
            (#"{"user\u0049d":"u-\u0031","userId":"","userId":null,"userId":{"a":"b"}}"#, ["u-1"]),
            (#"{"traits":{"deep":{"id":"no"},"traits":{"id":"yes"}}}"#, ["yes"]),
            ("[]", []), ("\"userId\"", []), ("7", []),
        ])
    func names(_ body: String, _ ids: [String]) throws {
        #expect(try ScannedBody.of(Array(body.utf8)).ids == ids)
    }

    @Test(
        "The scan finds properties and traits of the first level with the types of the values",
        arguments: [
            (#"{"properties":{"a":1,"b":"x"},"traits":{"c":[{}]}}"#, ["a number", "b string"], ["c array"]),
            (#"{"context":{"properties":{"a":1},"traits":{"b":2}}}"#, [], []),
            (#"{"proper\u0074ies" : { "a" : null , "d" : { "e" : 1 } }, "traits":true}"#, ["a null", "d object"], []),
            (#"{"properties":{"a":1},"properties":{"b":false}}"#, ["b boolean"], []),
            (#"[{"properties":{"a":1}}]"#, [], []),
        ] as [(String, [String], [String])])
    func members(_ body: String, _ properties: [String], _ traits: [String]) throws {
        let bytes = Array(body.utf8)
        let scanned = try ScannedBody.of(bytes)
        func texts(_ members: [ScannedBody.Member]) -> [String] {
            members.map {
                "\(String(decoding: bytes[$0.key.range], as: UTF8.self)) \(PropertyKind(firstByte: $0.firstByte))"
            }
        }
        #expect(texts(scanned.properties) == properties)
        #expect(texts(scanned.traits) == traits)
    }

    @Test(
        "A body that is no JSON is refused",
        arguments: ["", "{", #"{"userId":"a"} x"#, #"{"userId":a}"#])
    func noJSON(_ body: String) {
        #expect(throws: JSONError.self) { try ScannedBody.of(Array(body.utf8)) }
    }
}
