import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("The users that a body names") struct NamedUsersTests {
    @Test(arguments: [
        (#"{"userId":"a","properties":{"color":"b","id":"c"}}"#, ["a"]),
        (#"{"type":"alias","userId":"new","previousId":"old"}"#, ["new", "old"]),
        (#"{"context":{"traits":{"id":"t","name":"n","list":[{"id":"no"}]}},"traits":[{"id":7}]}"#, ["t", "7"]),
        (#"{"stages":[{"event":{"user_id":["x",{"userId":15},["y"]]}}]}"#, ["x", "15", "y"]),
        (#"{"user\u0049d":"u-\u0031","userId":"","userId":null,"userId":{"a":"b"}}"#, ["u-1"]),
        (#"{"traits":{"deep":{"id":"no"},"traits":{"id":"yes"}}}"#, ["yes"]),
        ("[]", []), ("\"userId\"", []), ("7", []),
    ])
    func names(_ body: String, _ ids: [String]) throws {
        #expect(try NamedUsers.of(Array(body.utf8)) == ids)
    }

    @Test(arguments: ["", "{", #"{"userId":"a"} x"#, #"{"userId":a}"#]) func noJSON(_ body: String) {
        #expect(throws: JSONError.self) { try NamedUsers.of(Array(body.utf8)) }
    }
}
