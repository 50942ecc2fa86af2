import Foundation
import Testing

@testable import Demo

/// The tests run the whole demo.
@Suite(.serialized, .timeLimit(.minutes(30))) struct WholeDemoTests {
    @Test("The demo accounts for every tracked event and rolls a broken version back")
    func balance() async throws {
        let demo = try await ChildProcess(
            Programs.demo,
            arguments: ["--once", "--speed", "1200", "--repository", Programs.repository.path])
        let ending = await demo.ended()
        #expect(ending == .exit(0), "\(demo.output)")
        let result = try #require(demo.output.last)
        #expect(
            result.wholeMatch(
                of: /demo: tracked=7411 stored=\d{4} dropped_by_plugin=342 dropped_by_filter=546 balanced=yes/) != nil,
            "\(result)")
        #expect(demo.output.contains { $0.contains("version 2 deployed") })
        #expect(
            demo.output.contains {
                $0.contains(
                    #/a broken version met [\d,]+ events of other devices, threw at [\d,]+, and was rolled back: /#)
            }, "\(demo.output)")
        let warehouse =
            switch PostgresInstallation.find() {
            case .installed: "PostgreSQL has exactly their rows: 180 in identifies"
            case .missing(let reason): "left out: \(reason)"
            }
        #expect(demo.output.contains { $0.contains(warehouse) }, "\(demo.output)")
    }

    @Test("An interrupted demo ends its programs and removes the database")
    func interruption() async throws {
        let demo = try await ChildProcess(
            Programs.demo, arguments: ["--repository", Programs.repository.path])
        try #require(await demo.line(after: "  filters", within: 120) != nil, "\(demo.output)")
        let programs = try await lines(of: "pgrep", "-P", "\(demo.processIdentifier)").compactMap { Int32($0) }
        let commands = try await lines(of: "ps", "-o", "args=", "-p", programs.map(String.init).joined(separator: ","))
        #expect(commands.contains { $0.contains("tributary serve") }, "\(commands)")
        let data = commands.lazy.compactMap { $0.firstMatch(of: /postgres -D (\S+)/)?.1 }.first.map(String.init)
        if case .installed = PostgresInstallation.find() {
            let data = try #require(data, "\(commands)")
            #expect(FileManager.default.fileExists(atPath: data))
        }
        demo.signal(SIGINT)
        #expect(await demo.ended() == .exit(130), "\(demo.output)")
        #expect(programs.filter { kill($0, 0) == 0 }.isEmpty)
        if let data { #expect(!FileManager.default.fileExists(atPath: data)) }
    }

    /// The output of a program.
    private func lines(of words: String...) async throws -> [String] {
        let process = try await ChildProcess(URL(fileURLWithPath: "/usr/bin/env"), arguments: words)
        await process.ended()
        return process.output
    }

    @Test("The demo names a file that cannot be read")
    func missingFile() async throws {
        let demo = try await ChildProcess(
            Programs.demo, arguments: ["--once", "--events", "/no/such/file", "--repository", Programs.repository.path])
        #expect(await demo.ended() == .exit(1))
        #expect(demo.output == ["demo: /no/such/file cannot be read"])
    }
}
