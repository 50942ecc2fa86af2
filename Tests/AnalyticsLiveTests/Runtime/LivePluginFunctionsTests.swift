import Foundation
import Testing
import TributaryScript

@testable import AnalyticsLive

@Suite struct LivePluginFunctionsTests {
    @Test("Every script of the runtime is embedded as it is in its file")
    func sources() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/AnalyticsLive/JavaScript")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".js") }
        let scripts = LivePluginFunctions.sources + [LivePluginFunctions.reviewSource]
        #expect(Set(names) == Set(scripts.map(\.name)))
        for script in scripts {
            let text = try String(contentsOf: folder.appendingPathComponent(script.name), encoding: .utf8)
            #expect(text == script.source, "\(script.name)")
        }
    }
}
