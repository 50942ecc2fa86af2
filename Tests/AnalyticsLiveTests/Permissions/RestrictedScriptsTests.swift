import Foundation
import TestSupport
import Testing
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive
@testable import Tributary

@Suite("Scripts that the app restricts") struct RestrictedScriptsTests {
    private func world(_ permissions: [ScriptPermission], _ source: String) throws -> LiveWorld {
        try LiveWorld(source, permissions: ScriptPermissions(permissions))
    }

    private let fix = """
        class Fix extends LivePlugin {
            track(event) {
                event.event = event.event + "!"
                event.properties.price = 1
                event.context = { ip: "0.0.0.0" }
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """

    private let order: JSON = [
        "type": "track", "event": "Order", "messageId": "1", "properties": ["price": 12.50, "mail": "ada@example.com"],
        "context": ["ip": "10.0.0.1"],
    ]

    @Test("A change that the app does not allow is undone, and the plugin is named") func change() throws {
        let world = try world([.change("properties.price")], fix)
        let result = world.enrich(order)
        var expected = order
        expected["properties"] = ["price": 1, "mail": "ada@example.com"]
        #expect(result.event == expected)
        let step = try #require(result.steps.first)
        guard case .failed(let fault) = step.outcome else {
            Issue.record("\(step)")
            return
        }
        #expect(step.plugin == "Fix")
        #expect(fault.isRefusal && !fault.isSwitchedOff)
        #expect(fault.message.contains("change event") && fault.message.contains("change context.ip"))
    }

    @Test("All changes are allowed without a list") func unrestricted() throws {
        let result = try LiveWorld(fix).enrich(order)
        #expect(result.event?["event"] == "Order!")
        #expect(result.event?["context"] == ["ip": "0.0.0.0"])
    }

    @Test("A script does not see a member that it may not read, so it cannot copy it into an event") func copy() throws
    {
        let source = """
            class Copy extends LivePlugin {
                track(event) {
                    analytics.track("First " + event.event, { all: JSON.stringify(event), price: event.properties.price })
                    return event
                }
            }
            analytics.add(new Copy(LivePluginType.enrichment, null))
            """
        let world = try world([.emit("First*"), .read("properties.price")], source)
        #expect(world.enrich(order).event == order)
        let made = try #require(world.bridge.calls.first)
        #expect(made["track"] == "First Order")
        #expect(made["properties"]?["price"] == 12.50)
        let all = try #require(made["properties"]?["all"]?.stringValue)
        #expect(!all.contains("ada@example.com") && !all.contains("10.0.0.1"))
    }

    @Test("Numbers that JavaScript cannot hold stay exact behind hidden members") func numbers() throws {
        let event = try JSON.parse(
            #"""
            {"type":"track","event":"Order","messageId":"1",
            "properties":{"id":12345678901234567890,"hidden":9007199254740993,"price":2}}
            """#)
        let world = try world([.read("properties.id"), .change("properties.price")], fix)
        let properties = world.enrich(event).event?["properties"]
        #expect(properties?.description == #"{"id":12345678901234567890,"hidden":9007199254740993,"price":1}"#)
    }

    @Test("Refused actions can be collected, each once, until they are asked for") func refusals() throws {
        let source = """
            class Call extends LivePlugin {
                track(event) {
                    try { analytics.track("Made") } catch {}
                    try { analytics.track("Made") } catch {}
                    event.context.ip = "1.1.1.1"
                    return event
                }
            }
            analytics.add(new Call(LivePluginType.enrichment, null))
            """
        let world = try world([.rename], source)
        _ = world.enrich(order)
        #expect(world.runtime.takeRefusals() == [])
        world.runtime.collectRefusals()
        _ = world.enrich(order)
        #expect(world.runtime.takeRefusals() == ["make the event Made", "change context.ip"])
        #expect(world.runtime.takeRefusals() == [])
    }

    @Test("An event that scripts may not drop goes on as it was") func drop() throws {
        let source = """
            class Drop extends LivePlugin { track(event) { return null } }
            analytics.add(new Drop(LivePluginType.enrichment, null))
            """
        let world = try world([.drop("Debug*")], source)
        #expect(world.enrich(order).event == order)
        #expect(world.enrich(trackEvent("Debug Tap")).event == nil)
    }

    @Test(
        "A function that the app does not allow throws, and does nothing",
        arguments: [
            ("analytics.track(\"Other\")", ScriptPermission.emit("Other")),
            ("analytics.screen(\"Other\")", .emit("Other")),
            ("analytics.identify(\"bob\")", .identify), ("analytics.group(\"g\")", .group),
            ("analytics.alias(\"b\")", .alias), ("analytics.reset()", .reset),
            ("new Analytics(\"OTHER\").track(\"A\")", .otherSources),
        ])
    func functions(call: String, permission: ScriptPermission) throws {
        let source = """
            class Call extends LivePlugin { track(event) { \(call); return event } }
            analytics.add(new Call(LivePluginType.enrichment, null))
            """
        let refused = try world([], source)
        let other = RecordingSource()
        refused.bridge.others["OTHER"] = other
        let result = refused.enrich(order)
        #expect(result.event == order)
        guard case .failed(let fault)? = result.steps.first?.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.message.contains("the app does not allow scripts to"))
        #expect(refused.bridge.calls.isEmpty && other.calls.isEmpty)
        let allowed = try world([permission, .emit("A")], source)
        allowed.bridge.others["OTHER"] = other
        #expect(allowed.enrich(order).steps.first?.outcome == .unchanged)
        #expect(allowed.bridge.calls.count + other.calls.count == 1)
    }

    @Test("Stored values and the user are read only when the app allows it") func values() throws {
        let source = """
            class Read extends LivePlugin {
                track(event) { event.properties.found = [analytics.userId, storage.getValue("k")]; return event }
            }
            analytics.add(new Read(LivePluginType.enrichment, null))
            """
        for permissions: [ScriptPermission] in [[.change("properties")], [.change("properties"), .readUser]] {
            let world = try world(permissions, source)
            world.bridge.userId = "ada"
            world.bridge.storage["k"] = "secret"
            #expect(world.enrich(order).event == order)
        }
        let world = try world([.change("properties"), .readUser, .store], source)
        world.bridge.userId = "ada"
        world.bridge.storage["k"] = "secret"
        #expect(world.enrich(order).event?["properties"]?["found"] == ["ada", "secret"])
    }
}
