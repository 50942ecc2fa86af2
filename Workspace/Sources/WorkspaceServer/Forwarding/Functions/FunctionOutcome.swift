import TributaryJSON
import WorkspaceCore

/// The result of a function for an event or a batch.
package enum FunctionOutcome: Sendable, Equatable {
    case requests([FunctionRequest])
    /// The function asks for the events again later.
    case later(String)
    /// The code threw an error, or returned something else. The events will fail again.
    case fault(String)
    /// There is no result: the process ended, or the code took too long.
    case failed(String)

    /// Reads the answer of a process.
    init(_ answer: JSON) {
        if let fault = answer["fault"] {
            let text = Self.text(fault)
            self = answer["mayBeRepeated"]?.boolValue == true ? .failed(text) : .fault(text)
        } else if let reason = answer["later"]?.stringValue {
            self = .later(reason.isEmpty ? "the function asks for the event later" : reason)
        } else {
            self = Self.requests(answer["requests"]?.elements)
        }
    }

    private static func requests(_ list: [JSON]?) -> FunctionOutcome {
        guard let list, list.count <= Limits.functionRequests else {
            return .fault("function: it returned no list of at most \(Limits.functionRequests) requests")
        }
        do throws(Refusal) {
            return .requests(try list.map { json throws(Refusal) in try FunctionRequest(json) })
        } catch {
            return .fault("function: \(error.message)")
        }
    }

    /// The error of a script for people: `function, line 12: Error: no channel`.
    static func text(_ fault: JSON) -> String {
        let message = fault["message"]?.stringValue ?? "an error without a text"
        let line = fault["line"]?.intValue.map { ", line \($0)" } ?? ""
        return "function\(line): \(message)"
    }
}
