import Foundation
import Hummingbird
import WorkspaceCore

extension RequestContext {
    /// A part of the path that the route names, without its percent encoding.
    func pathParameter(_ name: String) throws -> String {
        let text = try parameters.require(name)
        guard let decoded = text.removingPercentEncoding else {
            throw Refusal.invalid("the path has a percent sign that encodes nothing")
        }
        return decoded
    }

    /// A part of the path that is a whole number.
    func pathNumber(_ name: String) throws -> Int64 {
        let text = try pathParameter(name)
        guard let number = Int64(text) else { throw Refusal.invalid("\(name) is a whole number, not \(text)") }
        return number
    }
}
