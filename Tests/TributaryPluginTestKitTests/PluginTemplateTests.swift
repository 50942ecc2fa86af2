import Foundation
import Testing

@testable import TributaryPluginTestKit

/// The declarations in the module against the file that they were made from.
@Suite struct PluginTemplateTests {
    @Test func declarationsAreUpToDate() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("../../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == PluginTemplate.declarations + "\n", "run scripts/embed-javascript")
    }
}
