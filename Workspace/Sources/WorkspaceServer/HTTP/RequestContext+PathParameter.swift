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
}
