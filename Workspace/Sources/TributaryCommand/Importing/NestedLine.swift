import TributaryJSON
import WorkspaceServer

/// Reads JSON that may be nested more deeply than an event.
enum NestedLine {
    /// The value without the parts that are nested below a level; nil when the line is not JSON.
    static func json(_ bytes: [UInt8], depth: Int) -> JSON? {
        // The caller reports a line that is not JSON, with its number; the error of the parser says no more.
        if let json = try? JSON.parse(bytes, limits: JSONLimits(depth: depth)) { return json }
        return try? JSON.parse(NestingCut.cut(bytes, below: depth), limits: JSONLimits(depth: depth))
    }
}
