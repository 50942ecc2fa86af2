import Foundation
import Testing

@testable import TributaryPluginTestKit

/// The declarations in the program against the file that authors read.
@Suite struct PluginTemplateTests {
    @Test("The declarations are those of liveplugins.d.ts")
    func declarations() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("../../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == PluginTemplate.declarations)
    }
}
