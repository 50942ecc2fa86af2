import Synchronization
import TributaryJSON
import WorkspaceCore

/// The requests that this server refused since its start. All members may be used from any thread.
final class RefusalBook: Sendable {
    private let list = Mutex(RefusalList())

    func note(_ request: RefusedRequest, at now: Int64) { list.withLock { $0.note(request, at: now) } }

    /// The refusals for operators, newest first.
    /// - Parameter sources: an unknown key is compared with the keys of these.
    func json(_ sources: [Source]) -> JSON {
        let list = list.withLock { $0 }
        return ["requests": .array(list.entries.map { Self.json($0, sources) }), "others": .number(list.others)]
    }

    private static func json(_ entry: RefusalList.Entry, _ sources: [Source]) -> JSON {
        let request = entry.request
        return .object(withoutNulls: [
            "kind": .string(request.kind.rawValue), "reason": .string(request.reason), "path": .string(request.path),
            "address": .string(request.address), "client": .string(request.client), "count": .number(entry.count),
            "firstAt": .time(entry.firstAt), "lastAt": .time(entry.lastAt), "key": .string(request.beginningOfKey),
            "guess": .string(guess(request, sources)),
        ])
    }

    private static func guess(_ request: RefusedRequest, _ sources: [Source]) -> String? {
        switch request.kind {
        case .unknownKey: return KeyGuess.sentence(request.key, sources)
        case .wrongPath:
            let words = [
                UnknownPath(method: request.method, path: request.path).guess,
                request.key.flatMap { KeyGuess.ofWrongPath($0, sources) },
            ]
            let known = words.compactMap(\.self)
            return known.isEmpty ? nil : known.joined(separator: "; ")
        case .plainHTTP: return "the address in the client has to begin with https://"
        case .unreadableBody: return nil
        }
    }
}
