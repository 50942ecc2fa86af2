import TributaryJSON
import WorkspaceCore

/// The part of the stream that one listener sees.
struct SeenStream: Sendable {
    let store: Store
    let sources: SourceRegistry

    /// The message as the listener gets it; nil when it does not see it. The listener is the author of the request that is answered now.
    func seen(_ message: StreamMessage) async throws -> StreamMessage? {
        let sight = Administrator.current.sight
        guard !sight.isAll else { return message }
        switch message.content {
        case .sign: return message
        case .figures: return sight.sources == nil ? message : StreamMessage(try await store.statistics(writeKey: nil))
        case .row(let kind):
            guard let row = message.row, try await isSeen(row, sight) else { return nil }
            guard let hiding = try await store.hiding() else { return message }
            // Only of events is it known what of them is personal.
            guard kind == .event else { return nil }
            return StreamMessage(
                message.content, name: "event", sequence: message.sequence, text: hiding.hidden(row: row))
        }
    }

    private func isSeen(_ row: [UInt8], _ sight: Sight) async throws -> Bool {
        guard sight.sources != nil else { return true }
        guard let writeKey = try JSON.parse(row)["writeKey"]?.stringValue else { return false }
        return (try? await sources.known(writeKey)) != nil
    }
}
