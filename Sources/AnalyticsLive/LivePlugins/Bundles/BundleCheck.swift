import Tributary
import TributaryJSON

/// Decides whether an answer is the bundle that the settings name. A pure function.
enum BundleCheck {
    /// The reason why an answer is not the bundle.
    struct Refusal: Error, Sendable, CustomStringConvertible {
        let description: String
        var incident = VersionIncident.contentRefused
    }

    static func bundle(
        _ answer: Result<TransportResponse, TransportError>, for reference: BundleReference, signatures: SignatureCheck
    ) throws(Refusal) -> ScriptBundle {
        let body = try body(of: answer)
        guard body.count <= LivePluginLimits.bundleBytes else {
            throw Refusal(description: "it has \(body.count) bytes; the limit is \(LivePluginLimits.bundleBytes)")
        }
        if let expected = reference.sha256 {
            let found = ScriptBundle.sha256(of: body)
            guard found == expected else {
                throw Refusal(description: "its SHA-256 is \(found), the settings say \(expected)")
            }
        }
        if let objection = signatures.objection(to: body, signatures: reference.signatures) {
            throw Refusal(description: objection, incident: .signatureRefused)
        }
        guard let source = text(body) else { throw Refusal(description: "it is not UTF-8") }
        return ScriptBundle(version: reference.version, source: source, signatures: reference.signatures)
    }

    private static func body(of answer: Result<TransportResponse, TransportError>) throws(Refusal) -> [UInt8] {
        let response: TransportResponse
        switch answer {
        case .success(let value): response = value
        case .failure(let error): throw Refusal(description: "no answer: \(error)", incident: .downloadFailed)
        }
        guard (200..<300).contains(response.status) else {
            throw Refusal(description: "the server answered \(response.status)", incident: .downloadFailed)
        }
        guard response.headers["content-type"]?.lowercased().hasPrefix("text/html") != true else {
            throw Refusal(description: "the server answered with a web page", incident: .downloadFailed)
        }
        return response.body
    }

    /// Only exact UTF-8: repaired text would be another script.
    static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
