import Testing
import TributaryJSON

@testable import AnalyticsLive

@Suite("Permissions of scripts, as values") struct ScriptPermissionTests {
    @Test(
        "A pattern for names compares with any characters at its stars",
        arguments: [
            ("*", "", true), ("*", "Order", true), ("Order", "Order", true), ("Order", "Order 2", false),
            ("Debug*", "Debug", true), ("Debug*", "Debug Tap", true), ("Debug*", "My Debug", false),
            ("*Viewed", "Product Viewed", true), ("*Viewed", "Viewed twice", false), ("A*B*C", "AxBxC", true),
            ("A*B*C", "ABC", true), ("A*B*C", "ACB", false), ("A*A", "A", false), ("**", "x", true), ("", "", true),
            ("", "x", false), ("é*", "été", true), ("*aab*", "aaab", true),
        ])
    func names(pattern: String, name: String, expected: Bool) {
        #expect(NamePattern(pattern).matches(name) == expected)
    }

    @Test(
        "A path includes what is inside of it, and nothing beside it",
        arguments: [
            ("properties", "properties", true), ("properties", "properties.price", true),
            ("properties.*", "properties", false), ("properties.*", "properties.price", true),
            ("properties.*", "properties.price.net", true), ("properties.price", "properties.prices", false),
            ("context.*.id", "context.device.id", true), ("context.*.id", "context.device.name", false),
            ("*", "traits.mail", true), ("traits", "context.traits", false),
        ])
    func paths(path: String, member: String, expected: Bool) {
        #expect(MemberPath(path).includes(member.split(separator: ".").map(String.init)) == expected)
    }

    @Test("Each permission is read back from its text, and other texts are none") func texts() {
        let all: [ScriptPermission] = [
            .rename, .rename("Old*"), .drop(), .drop("Debug Tap*"), .emit("First*"), .read("properties.*"),
            .change("context.page"), .identify, .group, .alias, .reset, .readUser, .readSignals, .store, .otherSources,
        ]
        for permission in all { #expect(ScriptPermission(permission.description) == permission) }
        #expect(ScriptPermission("rename") == .rename)
        #expect(ScriptPermission("drop Debug Tap*") == .drop("Debug Tap*"))
        for text in ["", " ", "renames", "reset all", "Read x"] { #expect(ScriptPermission(text) == nil, "\(text)") }
    }
}

@Suite("Permissions of scripts, for events") struct ScriptPermissionsTests {
    private let event: JSON = [
        "type": "track", "event": "Order Completed", "messageId": "1", "userId": "ada",
        "properties": ["price": 3, "mail": "ada@example.com", "address": ["city": "Bern", "street": "Gasse 1"]],
        "context": ["ip": "10.0.0.1", "device": ["id": "d", "model": "m"], "__eventOrigin": ["type": "js"]],
    ]

    private func settled(_ permissions: [ScriptPermission], _ change: (inout JSON) -> Void)
        -> ScriptPermissions.Settlement
    {
        let permissions = ScriptPermissions(permissions)
        let shown = permissions.shown(event)
        var returned = shown
        change(&returned)
        return permissions.settle(returned, shown: shown, of: event)
    }

    @Test("Without a permission to read, scripts see the kind, name, id and origin of an event") func nothing() {
        #expect(
            ScriptPermissions([]).shown(event) == [
                "type": "track", "event": "Order Completed", "messageId": "1", "properties": [:],
                "context": ["__eventOrigin": ["type": "js"]],
            ])
    }

    @Test("Scripts see what the paths name, and what they may change") func shown() {
        let permissions = ScriptPermissions([
            .read("properties.price"), .change("properties.address.city"), .read("context.device.*"),
        ])
        #expect(
            permissions.shown(event) == [
                "type": "track", "event": "Order Completed", "messageId": "1",
                "properties": ["price": 3, "address": ["city": "Bern"]],
                "context": ["device": ["id": "d", "model": "m"], "__eventOrigin": ["type": "js"]],
            ])
        #expect(ScriptPermissions([.read("*")]).shown(event) == event)
    }

    @Test("An event that scripts leave alone keeps the members that they do not see") func unchanged() {
        #expect(settled([]) { _ in } == .init(event: event))
    }

    @Test("Allowed changes go on, and all others are undone and named") func changed() {
        let settlement = settled([.rename, .change("properties.*"), .read("context.ip")]) { event in
            event["event"] = "Order Paid"
            event["properties"]?["price"] = 4
            event["properties"]?["mail"] = nil
            event["properties"]?["isNew"] = true
            event["context"]?["ip"] = "0.0.0.0"
            event["userId"] = "bob"
        }
        var expected = event
        expected["event"] = "Order Paid"
        expected["properties"] = ["price": 4, "address": ["city": "Bern", "street": "Gasse 1"], "isNew": true]
        #expect(settlement.event == expected)
        #expect(Set(settlement.refused) == ["change context.ip", "change userId"])
    }

    @Test("A member that scripts do not see is neither replaced nor removed with the object around it") func hidden() {
        let permissions: [ScriptPermission] = [.change("properties.address.city")]
        let replaced = settled(permissions) { $0["properties"]?["address"] = ["city": "Basel", "street": "x"] }
        #expect(replaced.event?["properties"]?["address"] == ["city": "Basel", "street": "Gasse 1"])
        #expect(replaced.refused == ["change properties.address.street"])
        let removed = settled(permissions) { $0["properties"] = nil }
        #expect(removed == .init(event: event, refused: ["change properties"]))
        let scalar = settled(permissions) { $0["properties"]?["address"] = "none" }
        #expect(scalar == .init(event: event, refused: ["change properties.address"]))
    }

    @Test("Scripts may add an object for members that they may change") func added() {
        let settlement = settled([.change("context.campaign.*")]) { event in
            event["context"]?["campaign"] = ["name": "autumn"]
            event["context"]?["other"] = ["name": "x"]
        }
        #expect(settlement.event?["context"]?["campaign"] == ["name": "autumn"])
        #expect(settlement.event?["context"]?["other"] == nil)
        #expect(settlement.refused == ["change context.other"])
    }

    @Test("A list is one value: it is changed as a whole or not at all") func lists() {
        let event: JSON = ["type": "track", "event": "A", "properties": ["tags": ["a", ["b": 1]]]]
        let some = ScriptPermissions([.change("properties.tags.*")])
        #expect(some.shown(event)["properties"]?["tags"] == nil)
        let whole = ScriptPermissions([.change("properties.tags")])
        let shown = whole.shown(event)
        var returned = shown
        returned["properties"] = ["tags": ["c"]]
        #expect(whole.settle(returned, shown: shown, of: event).event?["properties"]?["tags"] == ["c"])
    }

    @Test("Only events with an allowed name are dropped; an event without a name is meant by its type") func dropped() {
        let permissions = ScriptPermissions([.drop("Debug*"), .drop("group")])
        func dropped(_ event: JSON) -> ScriptPermissions.Settlement {
            permissions.settle(nil, shown: permissions.shown(event), of: event)
        }
        #expect(dropped(["type": "track", "event": "Debug Tap"]) == .init(event: nil))
        #expect(dropped(["type": "group", "groupId": "g"]) == .init(event: nil))
        #expect(dropped(event) == .init(event: event, refused: ["drop Order Completed"]))
        #expect(dropped(["type": "identify"]).refused == ["drop identify"])
    }

    @Test("Only names that may be renamed change, whatever else may change") func renamed() {
        #expect(settled([.rename("Debug*"), .change("*")]) { $0["event"] = "X" }.refused == ["change event"])
        #expect(settled([.rename("Order*")]) { $0["event"] = "X" }.event?["event"] == "X")
    }
}
