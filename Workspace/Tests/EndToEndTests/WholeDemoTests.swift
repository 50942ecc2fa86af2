import Foundation
import Testing

@testable import Demo

/// The tests run the whole demo.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WholeDemoTests {
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
    }

    @Test("The demo names a file that cannot be read")
    func missingFile() async throws {
        let demo = try await ChildProcess(
            Programs.demo, arguments: ["--once", "--events", "/no/such/file", "--repository", Programs.repository.path])
        #expect(await demo.ended() == .exit(1))
        #expect(demo.output == ["demo: /no/such/file cannot be read"])
    }
}
