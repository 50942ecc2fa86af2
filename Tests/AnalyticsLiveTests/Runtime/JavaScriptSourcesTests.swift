import Foundation
import Testing

@testable import AnalyticsLive

/// The literals in the module against the files that they were made from.
@Suite struct JavaScriptSourcesTests {
    @Test(arguments: [
        ("runtime", JavaScriptSources.runtime), ("plugins", JavaScriptSources.plugins),
        ("analytics", JavaScriptSources.analytics), ("storage", JavaScriptSources.storage),
        ("stages", JavaScriptSources.stages), ("signals", JavaScriptSources.signals),
    ])
    func literalIsUpToDate(name: String, literal: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("../../../Sources/AnalyticsLive/JavaScript/\(name).js")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == literal + "\n", "run scripts/embed-javascript")
    }
}
