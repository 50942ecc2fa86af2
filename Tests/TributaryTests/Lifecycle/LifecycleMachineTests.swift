import Testing
import TributaryJSON

@testable import Tributary

@Suite("The state machine of the app's lifecycle")
struct LifecycleMachineTests {
    private let version = ApplicationVersion(version: "2.0", build: "20")

    private func names(_ steps: [LifecycleStep], previous: ApplicationVersion?, isKept: Bool = true) -> [String] {
        var machine = LifecycleMachine(application: version)
        return steps.flatMap { machine.take($0, previous: previous, isKept: isKept) }.map(\.name)
    }

    @Test("A first start counts as an installation")
    func installed() {
        #expect(names([.launched()], previous: nil) == ["Application Installed", "Application Opened"])
    }

    @Test("Another version or build counts as an update", arguments: [("1.0", "20"), ("2.0", "19"), (nil, "20")])
    func updated(version: String?, build: String) throws {
        var machine = LifecycleMachine(application: self.version)
        let previous = ApplicationVersion(version: version, build: build)
        let events = machine.take(.launched(), previous: previous, isKept: true)
        #expect(events.map(\.name) == ["Application Updated", "Application Opened"])
        let properties = try #require(events.first?.properties)
        #expect(properties["previous_version"]?.stringValue == version)
        #expect(properties["previous_build"] == .string(build))
        #expect(properties["version"] == "2.0")
    }

    @Test("The same version is neither an installation nor an update")
    func opened() {
        #expect(names([.launched()], previous: version) == ["Application Opened"])
        #expect(names([.launched()], previous: nil, isKept: false) == ["Application Opened"])
    }

    @Test("An app is launched once, whichever notification reports it")
    func once() {
        #expect(names([.launched(), .launched()], previous: version) == ["Application Opened"])
    }

    @Test("An opened address is reported with the app that opened it")
    func address() {
        var machine = LifecycleMachine(application: version)
        let events = machine.take(
            .launched(url: "app://x", referringApplication: "com.example"), previous: version, isKept: true)
        #expect(
            events.first?.properties == [
                "version": "2.0", "build": "20", "from_background": false, "url": "app://x",
                "referring_application": "com.example",
            ])
    }

    @Test("Only a foreground after the background counts as a return")
    func foreground() {
        let steps: [LifecycleStep] = [
            .launched(), .enteringForeground, .becameActive, .enteredBackground, .enteringForeground, .becameActive,
        ]
        #expect(
            names(steps, previous: version) == [
                "Application Opened", "Application Backgrounded", "Application Opened", "Application Foregrounded",
            ])
        var machine = LifecycleMachine(application: version)
        for step in steps.prefix(4) { _ = machine.take(step, previous: version, isKept: true) }
        #expect(machine.take(.enteringForeground).first?.properties?["from_background"] == true)
    }

    @Test("A start in the background is no opening, and the later foreground is one with the launch options")
    func background() {
        var machine = LifecycleMachine(application: version)
        let launch = LifecycleStep.launched(url: "app://x", referringApplication: "com.example", isInBackground: true)
        #expect(machine.take(launch, previous: nil, isKept: true).map(\.name) == ["Application Installed"])
        #expect(machine.take(.enteredBackground).isEmpty)
        let opened = machine.take(.enteringForeground)
        #expect(opened.map(\.name) == ["Application Opened"])
        #expect(opened.first?.properties?["url"] == "app://x")
        #expect(opened.first?.properties?["from_background"] == false)
        #expect(machine.take(.becameActive).isEmpty)
        #expect(machine.take(.enteredBackground).map(\.name) == ["Application Backgrounded"])
        #expect(machine.take(.enteringForeground).first?.properties?["from_background"] == true)
    }

    @Test("A foreground of which only the end is reported counts as an opening")
    func active() {
        let steps: [LifecycleStep] = [.launched(isInBackground: true), .becameActive, .enteringForeground]
        #expect(
            names(steps, previous: version) == ["Application Opened", "Application Opened", "Application Foregrounded"])
    }

    @Test("Hiding, showing and ending the app are reported")
    func others() {
        #expect(
            names([.hidden, .unhidden, .terminating], previous: version) == [
                "Application Hidden", "Application Unhidden", "Application Terminated",
            ])
    }
}
