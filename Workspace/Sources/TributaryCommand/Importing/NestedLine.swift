import TributaryJSON
import WorkspaceServer

/// Reads JSON that may be nested more deeply than an event.
enum NestedLine {
    /// The value without what is nested below a level; nil for what is not JSON.
    static func json(_ bytes: [UInt8], depth: Int) -> JSON? {
        // The caller reports what is no JSON, with its line; the error of the parser says no more.
        if let json = try? JSON.parse(bytes, limits: JSONLimits(depth: depth)) { return json }
        return try? JSON.parse(NestingCut.cut(bytes, below: depth), limits: JSONLimits(depth: depth))
    }
}
