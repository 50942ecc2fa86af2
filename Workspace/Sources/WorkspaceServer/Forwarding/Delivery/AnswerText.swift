import AsyncHTTPClient
import Foundation
import NIOCore
import WorkspaceCore

/// Describes the answer of another server for people.
enum AnswerText {
    /// The body on one line; nothing when it is longer, not a text, or does not end.
    static func read(_ response: HTTPClientResponse, upTo limit: Int) async -> String {
        let body = await withTaskGroup(of: ByteBuffer?.self) { group in
            // The status decides; the text is for people, and is left out when it does not come.
            group.addTask { try? await response.body.collect(upTo: limit) }
            group.addTask {
                try? await Task.sleep(for: Limits.destinationAnswerTime)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let body else { return "" }
        return String(
            String(decoding: body.readableBytesView, as: UTF8.self).unicodeScalars
                .map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }

    /// Why there was no answer, without the address, which may contain a secret.
    static func reason(_ error: any Error) -> String {
        switch error {
        case is CancellationError: "the server stops"
        default: ErrorReason.text(error)
        }
    }
}
