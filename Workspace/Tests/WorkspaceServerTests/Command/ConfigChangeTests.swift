import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand

@Suite("Steps of a configuration") struct ConfigChangeTests {
    private func source(filters: JSON = [], _ destinations: JSONObject?) -> SourceConfig {
        SourceConfig(
            writeKey: "WK", name: "WK", integrations: [:], filters: filters, plugins: .nothing, keys: nil, policy: nil,
            destinations: destinations)
    }

    private func hook(_ isEnabled: Bool, kind: String = "webhook") -> JSON {
        ["kind": .string(kind), "enabled": .bool(isEnabled), "settings": ["url": "https://receiver.test"]]
    }

    @Test("Destinations are removed before their filters and added after them")
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

    @Test("A file without destinations keeps the destinations")
    func silence() {
        #expect(ConfigChange.between(source(["Hook": hook(true)]), source(nil)) == [])
        #expect(ConfigChange.between(source(["Hook": hook(true)]), source([:])) == [.removeDestination("Hook")])
    }

    @Test("A destination of another kind counts as a new destination")
    func kind() {
        let changes = ConfigChange.between(
            source(["Hook": hook(true, kind: "other")]), source(["Hook": hook(true)]))
        #expect(changes == [.removeDestination("Hook"), .addDestination("Hook", hook(true))])
    }

    private func bundle(_ text: String) -> PluginsConfig.Bundle { PluginsConfig.Bundle(text: Data(text.utf8)) }

    private func plugins(_ forAll: String?, _ staged: String? = nil, _ percentage: Int = 20) -> PluginsConfig {
        PluginsConfig(
            forAll: forAll.map(bundle),
            staged: staged.map { PluginsConfig.Rollout(bundle: bundle($0), percentage: percentage) })
    }

    private func stage(_ text: String, _ percentage: Int = 20) -> ConfigChange {
        .stage(PluginsConfig.Rollout(bundle: bundle(text), percentage: percentage))
    }

    @Test("A roll-out begins, grows, ends for all or is rolled back")
    func stages() {
        let all = ConfigChange.deploy(bundle("a"), bytesBefore: 1)
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("a", "b")) == [])
        #expect(
            ConfigChange.plugins(.nothing, plugins("a", "b")) == [.deploy(bundle("a"), bytesBefore: 0), stage("b")])
        #expect(ConfigChange.plugins(plugins("a"), plugins("a", "b")) == [stage("b")])
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("a", "b", 50)) == [.widen(from: 20, to: 50)])
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("b")) == [.widen(from: 20, to: 100)])
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("b", "c")) == [.widen(from: 20, to: 100), stage("c")])
        // Devices never go back to a lower version, so another version for all devices takes a stage back.
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("a")) == [all])
        #expect(ConfigChange.plugins(plugins("a", "b", 50), plugins("a", "b")) == [all, stage("b")])
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins("a", "c")) == [all, stage("c")])
        #expect(
            ConfigChange.plugins(plugins("a", "b"), plugins("c", "b"))
                == [.deploy(bundle("c"), bytesBefore: 1), stage("b")])
        #expect(ConfigChange.plugins(plugins("a", "b"), plugins(nil)) == [.disablePlugins(bytesBefore: 1)])
        #expect(ConfigChange.plugins(plugins(nil, "b"), plugins(nil)) == [.disablePlugins(bytesBefore: 1)])
    }
}
