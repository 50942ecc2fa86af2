import Crypto
import Foundation
package import TributaryJSON
import WorkspaceCore

/// The result of a source function for a request.
package enum HookOutcome: Sendable, Equatable {
    case events([JSON])
    /// The function refuses the request; it will do so again.
    case refused(String)
    /// The function asks for the request later.
    case later(String)
    /// The code threw an error, took too long, or its process ended. An operator has to look.
    case failed(String)

    /// Reads the answer of a process. Events without a message id get one that is made of the request, so that a repeated request
    /// has the same ids.
    init(_ answer: JSON, to request: HookRequest) {
        if let reason = answer["refused"]?.stringValue {
            self = .refused(reason.isEmpty ? "the function refused the request" : reason)
        } else if let reason = answer["later"]?.stringValue {
            self = .later(reason.isEmpty ? "the function asks for the request later" : reason)
        } else if let events = answer["events"]?.elements {
            let digest = SHA256.hash(data: Data(request.body)).hexadecimal.prefix(32)
            self = .events(
                events.enumerated().map { place, event in
                    guard event["messageId"] == nil else { return event }
                    var event = event
                    event["messageId"] = .string("hook-\(digest)-\(place)")
                    return event
                })
        } else {
            self = .failed(FunctionOutcome.text(answer["fault"] ?? [:]))
        }
    }
}
