import Foundation
import Testing

@testable import TributaryScript

@Suite struct EmbeddedScriptTests {
    @Test("Every script of the sandbox is embedded as it is in its file")
    func sandbox() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/TributaryScript/JavaScript")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(EmbeddedScript.sandbox.map(\.name)))
        for script in EmbeddedScript.sandbox {
            let text = try String(contentsOf: folder.appendingPathComponent(script.name), encoding: .utf8)
            #expect(text == script.source, "\(script.name)")
        }
    }
}
