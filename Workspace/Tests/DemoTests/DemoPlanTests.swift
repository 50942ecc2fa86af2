import Foundation
import Testing

@testable import Demo

@Suite final class DemoPlanTests {
    private let repository: URL
    private let programs: URL

    init() throws {
        let manager = FileManager.default
        repository = manager.temporaryDirectory.appendingPathComponent("demo-plan-\(UUID().uuidString)")
        programs = repository.appendingPathComponent("Workspace/.build/debug")
        try manager.createDirectory(at: programs, withIntermediateDirectories: true)
        for name in ["tributary", "storefront", "tributary-fleet"] {
            let path = programs.appendingPathComponent(name).path
            try #require(manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o755]))
        }
    }

    deinit { try? FileManager.default.removeItem(at: repository) }

    private func plan(events: String? = nil, speed: Double? = nil, repository: String? = nil) throws -> DemoPlan {
        try DemoPlan(programFolder: programs, repository: repository, events: events, speed: speed, port: 0)
    }

    @Test("The demo finds its files above its programs or in the given repository")
    func findsFiles() throws {
        #expect(throws: DemoError.self) { try plan() }
        let files = repository.appendingPathComponent("Examples/Storefront/Demo")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        #expect(try plan().files.path == files.path)
        #expect(
            try plan(repository: "/elsewhere").plugin(version: 2).path
                == "/elsewhere/Examples/Storefront/Demo/plugin-v2.js")
    }

    @Test("The default speed is 400 for sessions and 700 for events, and a given speed replaces the default")
    func defaultSpeed() throws {
        let events = programs.appendingPathComponent("storefront").path
        #expect(try plan(repository: "/r").speed == 400)
        #expect(try plan(events: events, repository: "/r").speed == 700)
        #expect(try plan(events: events, speed: 50, repository: "/r").speed == 50)
        #expect(
            try plan(events: events, repository: "/r").shopArguments(server: "http://s").suffix(2) == [
                "--events", events,
            ])
    }

    @Test("An error names the file or the program that is missing")
    func namesMissingFile() throws {
        #expect(throws: DemoError("/no/such/file cannot be read")) {
            try plan(events: "/no/such/file", repository: "/r")
        }
        try FileManager.default.removeItem(at: programs.appendingPathComponent("storefront"))
        #expect(throws: DemoError("storefront is not built; run scripts/demo, which builds it")) {
            try plan(repository: "/r")
        }
    }
}
