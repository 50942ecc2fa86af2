import Tributary
import TributaryJSON

/// Decides whether an answer is the bundle that the settings speak of. A pure function.
enum BundleCheck {
    /// Bytes of a bundle; deployed ones are some KB.
    static let maximumBytes = 1 << 20

    /// Why an answer is not the bundle.
    struct Refusal: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    static func bundle(
        _ answer: Result<TransportResponse, TransportError>, for reference: BundleReference
    ) throws(Refusal) -> ScriptBundle {
        let response: TransportResponse
        switch answer {
        case .success(let value): response = value
        case .failure(let error): throw Refusal(description: "no answer: \(error)")
        }
        guard (200..<300).contains(response.status) else {
            throw Refusal(description: "the server answered \(response.status)")
        }
        guard response.headers["content-type"]?.lowercased().hasPrefix("text/html") != true else {
            throw Refusal(description: "the server answered with a web page")
        }
        guard response.body.count <= maximumBytes else {
            throw Refusal(description: "it has \(response.body.count) bytes, at most \(maximumBytes) are taken")
        }
        if let expected = reference.sha256 {
            let found = ScriptBundle.sha256(of: response.body)
            guard found == expected else {
                throw Refusal(description: "its SHA-256 is \(found), the settings say \(expected)")
            }
        }
        guard let source = text(response.body) else { throw Refusal(description: "it is not UTF-8") }
        return ScriptBundle(version: reference.version, source: source)
    }

    /// Only exact UTF-8: repaired text would be another script.
    static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
