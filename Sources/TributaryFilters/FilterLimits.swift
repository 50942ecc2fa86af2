/// The limits of the filter language, so that settings from a server can neither block nor exhaust a process.
///
/// A rule beyond a limit counts as not valid.
public struct FilterLimits: Sendable, Hashable {
    /// Length of one matcher's IR text in bytes; 65,536 unless set. An event has at most 32 KB on the server.
    public var irBytes = 65_536
    /// Nesting of arrays and objects in an IR; 64 unless set. Compiling and evaluating recurse at most this deep.
    public var irDepth = 64
    /// Length of a glob in UTF-16 units; 512 unless set. Matching takes at most text length times glob length steps.
    public var globUnits = 512
    /// Keys in one path; 128 unless set, which is as deep as the JSON parser reads.
    public var pathKeys = 128
    /// Pairs of matcher and transformers for one destination; 10,000 unless set.
    public var pairsPerDestination = 10_000
    /// Values inside one object or array that `copy` or `move` writes; 10,000 unless set, else copies could double
    /// an event with every rule.
    public var copiedValues = 10_000
    /// Nesting of an event that `copy` or `move` may make; 128 unless set.
    public var eventDepth = 128
    /// The largest array position that `map_properties` fills up to with `null`; 4,095 unless set.
    public var arrayIndex = 4_095

    /// The default limits.
    public init() {}
}
