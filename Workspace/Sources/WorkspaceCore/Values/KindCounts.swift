/// How often a property had a value of each type.
package struct KindCounts: Sendable, Equatable {
    private var counts = SIMD8<Int64>(repeating: 0)

    package init() {}

    package subscript(kind: PropertyKind) -> Int64 {
        get { counts[Self.index(kind)] }
        set { counts[Self.index(kind)] = newValue }
    }

    /// How often the property was there.
    package var total: Int64 { counts.wrappedSum() }

    package static func += (left: inout KindCounts, right: KindCounts) { left.counts &+= right.counts }

    private static func index(_ kind: PropertyKind) -> Int {
        switch kind {
        case .string: 0
        case .number: 1
        case .boolean: 2
        case .object: 3
        case .array: 4
        case .null: 5
        }
    }
}
