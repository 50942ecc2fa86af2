import Testing
import TributaryJSON

@testable import Tributary

@Suite("What follows from an app's life")
struct LifecycleMachineTests {
    private let version = ApplicationVersion(version: "2.0", build: "20")

    private func names(_ steps: [LifecycleStep], previous: ApplicationVersion?, isKept: Bool = true) -> [String] {
        var machine = LifecycleMachine(application: version)
        return steps.flatMap { machine.take($0, previous: previous, isKept: isKept) }.map(\.name)
    }

    @Test("a first start is an installation")
    func installed() {
        #expect(names([.launched()], previous: nil) == ["Application Installed", "Application Opened"])
    }

    @Test("another version or build is an update", arguments: [("1.0", "20"), ("2.0", "19"), (nil, "20")])
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

    @Test("the same version is neither, and nothing is known where nothing is kept")
    func opened() {
        #expect(names([.launched()], previous: version) == ["Application Opened"])
        #expect(names([.launched()], previous: nil, isKept: false) == ["Application Opened"])
    }

    @Test("an app is launched once, whoever says so")
    func once() {
        #expect(names([.launched(), .launched()], previous: version) == ["Application Opened"])
    }

    @Test("an opened address and who opened it are told")
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

    @Test("the foreground of a start is no return, that after the background is")
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

    @Test("a start in the background is no opening, the user's is, with what the app was started with")
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

    @Test("a foreground of which only its end is told is an opening, too")
    func active() {
        let steps: [LifecycleStep] = [.launched(isInBackground: true), .becameActive, .enteringForeground]
        #expect(
            names(steps, previous: version) == ["Application Opened", "Application Opened", "Application Foregrounded"])
    }

    @Test("hiding, showing and ending are told")
    func others() {
        #expect(
            names([.hidden, .unhidden, .terminating], previous: version) == [
                "Application Hidden", "Application Unhidden", "Application Terminated",
            ])
    }
}
