import Testing
import TributaryJSON

@testable import TributaryCommand

@Suite("Steps of a configuration") struct ConfigChangeTests {
    private func source(filters: JSON = [], _ destinations: JSONObject?) -> SourceConfig {
        SourceConfig(
            writeKey: "WK", name: "WK", integrations: [:], filters: filters, plugins: nil, keys: nil, policy: nil,
            destinations: destinations)
    }

    private func hook(_ isEnabled: Bool, kind: String = "webhook") -> JSON {
        ["kind": .string(kind), "enabled": .bool(isEnabled), "settings": ["url": "https://receiver.test"]]
    }

    @Test("destinations go before the filters that held events back from them, and come after their filters")
    func order() {
        let before = source(
            filters: ["old"], ["Gone": hook(true), "Off": hook(true), "On": hook(false), "Same": hook(true)])
        let after = source(
            filters: ["new"], ["Off": hook(false), "On": hook(true), "Same": hook(true), "New": hook(true)])
        let expected: [ConfigChange] = [
            .removeDestination("Gone"), .changeDestination("Off", hook(false), before: hook(true)),
            .filters(["new"], before: ["old"]),
            .changeDestination("On", hook(true), before: hook(false)), .addDestination("New", hook(true)),
        ]
        #expect(ConfigChange.between(before, after) == expected)
    }

    @Test("a file that says nothing of destinations leaves them alone")
    func silence() {
        #expect(ConfigChange.between(source(["Hook": hook(true)]), source(nil)) == [])
        #expect(ConfigChange.between(source(["Hook": hook(true)]), source([:])) == [.removeDestination("Hook")])
    }

    @Test("a destination of another kind is another one")
    func kind() {
        let changes = ConfigChange.between(
            source(["Hook": hook(true, kind: "other")]), source(["Hook": hook(true)]))
        #expect(changes == [.removeDestination("Hook"), .addDestination("Hook", hook(true))])
    }
}
