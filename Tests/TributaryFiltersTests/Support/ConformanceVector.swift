import Foundation
import Testing
import TributaryJSON

/// One vector of the shared conformance file, which may be absent beside the repository.
struct ConformanceVector: Sendable, CustomTestStringConvertible {
    let position: Int
    let json: JSON

    var testDescription: String { "\(position): \(json["test"]?.stringValue ?? "")" }

    /// `shared/conformance/destination-filters.json` in the first folder above the package that has it.
    static let file: URL? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let file = folder.appendingPathComponent("shared/conformance/destination-filters.json")
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }()

    static func all() throws -> [ConformanceVector] {
        guard let file else { return [] }
        let json = try JSON.parse(Array(try Data(contentsOf: file)))
        return (json["vectors"]?.elements ?? []).enumerated().map {
            ConformanceVector(position: $0.offset, json: $0.element)
        }
    }
}
