import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct RequestScanTests {
    private func items(_ text: String, members: [StaticString] = []) throws -> [String]? {
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBufferPointer { bytes in
            let scan = try RequestScan(bytes, .batch, members: members)
            if !members.isEmpty {
                // The scan finds the members of the items in the same pass and at the same places.
                #expect(scan.objects.count == scan.items.count)
                for (object, item) in zip(scan.objects, scan.items) where object != nil {
                    #expect(object?.range == item)
                }
            }
            return scan.hasItems ? scan.items.map { String(decoding: bytes[$0], as: UTF8.self) } : nil
        }
    }

    @Test(
        "The scan finds the items of the last batch in a body",
        arguments: [
            (#"{"batch":[{"a":1}, 2 ,[3]]}"#, [#"{"a":1}"#, "2", "[3]"]),
            (#"{"batch":[]}"#, []),
            // The last value of a repeated key counts.
            (#"{"batch":[{"a":1},{"a":2}],"batch":[{"a":3}]}"#, [#"{"a":3}"#]),
            (#"{"batch":[{"a":1}],"batch":[]}"#, []),
            (#"{"batch":7,"batch":[{"b":[{"a":1}]}]}"#, [#"{"b":[{"a":1}]}"#]),
            // A key may have escapes.
            (#"{"\u0062atch":[1]}"#, ["1"]),
        ])
    func findsItems(text: String, expected: [String]) throws {
        #expect(try items(text) == expected)
        #expect(try items(text, members: ["a", "b"]) == expected)
    }

    @Test(arguments: [#"{}"#, #"{"batch":null}"#, #"{"batch":{}}"#, #"{"batch":[1],"batch":"x"}"#])
    func aBodyWithoutAListHasNoItems(text: String) throws {
        #expect(try items(text) == nil)
        #expect(try items(text, members: ["a"]) == nil)
    }

    @Test(
        "A body that is no JSON object is refused",
        arguments: [#"{"batch":[1,]}"#, #"{"batch":[{"a":}]}"#, #"{"batch":[{"a":1}}"#, #"{"batch":[1]"#, "[]", ""])
    func invalidBody(text: String) {
        #expect(throws: Refusal.self) { try items(text) }
        #expect(throws: Refusal.self) { try items(text, members: ["a"]) }
    }

    @Test("An id of white space names no device, so an event goes by the other id")
    func blankDevices() throws {
        let text = #"{"batch":[{"anonymousId":" ","userId":"u"},{"anonymousId":"a","userId":"\t"},{"userId":""}]}"#
        let devices = try Array(text.utf8).withUnsafeBufferPointer { bytes in
            try RequestScan(bytes, .batch, members: RequestScan.deviceMembers).devices(.batch)
        }
        #expect(devices == ["u", "a", nil])
    }
}
