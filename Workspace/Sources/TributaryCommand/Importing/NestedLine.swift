import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Reads JSON that may be nested more deeply than an event.
enum NestedLine {
    /// The value without the parts that are nested below a level.
    static func json(_ bytes: [UInt8], depth: Int) throws(JSONError) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(bytes, limits: JSONLimits(depth: depth))
        } catch {
            guard error.reason == .tooDeep else { throw error }
            // The places of the shorter text are others, so the whole text is checked first.
            try JSONCheck.anyDepth(bytes)
            return try JSON.parse(NestingCut.cut(bytes, below: depth), limits: JSONLimits(depth: depth))
        }
    }
}
