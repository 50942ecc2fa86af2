import TributaryJSON
import WorkspaceCore

extension Warehouse {
    /// Whether the database can be loaded.
    func tryOut() async -> ForwardingAnswer {
        defer { close() }
        do {
            return .accepted(try await test())
        } catch {
            return Self.answer(error)
        }
    }

    /// Deletes the rows of a user.
    /// - Parameter request: as a webhook gets it.
    func delete(_ request: JSON) async -> ForwardingAnswer {
        defer { close() }
        guard let userId = request["userId"]?.stringValue else { return .refused("the request names no user") }
        let devices = request["anonymousIds"]?.elements?.compactMap(\.stringValue) ?? []
        do {
            let count = try await delete(userId: userId, anonymousIds: devices)
            return .accepted("\(count) rows deleted")
        } catch {
            return Self.answer(error)
        }
    }

    private static func answer(_ error: any Error) -> ForwardingAnswer {
        .unavailable((error as? any WarehouseError)?.text ?? ErrorReason.text(error))
    }
}
