/// A container while it is built. The encoder and the containers made from it share it.
final class EncodingNode {
    enum Kind {
        case empty, single, array, object
        /// The value asked for two kinds of container, and one would overwrite the other.
        case conflict
    }

    /// The number of containers around this one.
    let depth: Int
    /// Containers with as many around them have no JSON form.
    private let limit: Int
    /// Whether the members have no order of their own.
    let isSorted: Bool
    private var kind = Kind.empty
    private var single = JSON.null
    private var elements: [JSON] = []
    private var object = JSONObject()
    /// Containers with values that are known only at the end. Until then `null` holds their places.
    private var childElements: [(position: Int, node: EncodingNode)] = []
    private var childMembers: [(key: String, node: EncodingNode)] = []

    init(depth: Int, limit: Int, isSorted: Bool = false) {
        self.depth = depth
        self.limit = limit
        self.isSorted = isSorted
    }

    var count: Int { elements.count }

    func become(_ wanted: Kind) {
        if kind == .empty { kind = wanted } else if kind != wanted { kind = .conflict }
        if wanted == .object, object.isEmpty { object = JSONObject(minimumCapacity: 8) }
    }

    func put(_ value: JSON) {
        become(.single)
        single = value
    }

    func append(_ value: JSON) { elements.append(value) }

    func set(_ value: JSON, for key: String) {
        if !childMembers.isEmpty { childMembers.removeAll { ExactKey.areSame($0.key, key) } }
        object.set(key, value)
    }

    func appendChild() -> EncodingNode {
        let child = EncodingNode(depth: depth + 1, limit: limit)
        childElements.append((elements.count, child))
        elements.append(.null)
        return child
    }

    /// A second request for the same key continues the container of the first.
    func child(for key: String) -> EncodingNode {
        if let known = childMembers.first(where: { ExactKey.areSame($0.key, key) }) { return known.node }
        let child = EncodingNode(depth: depth + 1, limit: limit)
        set(.null, for: key)
        childMembers.append((key, child))
        return child
    }

    /// Adds a finished value piece by piece to the values that are already here.
    func merge(_ value: JSON) {
        switch value {
        case .array(let values):
            become(.array)
            for value in values { append(value) }
        case .object(let object):
            become(.object)
            for (key, value) in object { set(value, for: key) }
        default: put(value)
        }
    }

    /// Whether this container has members or elements.
    var hasMembers: Bool {
        switch kind {
        case .array: !elements.isEmpty
        case .object: !object.isEmpty
        case .empty, .single, .conflict: false
        }
    }

    /// - Parameters:
    ///   - leftOut: collects values that cannot be combined. Nil makes them an error.
    ///   - path: the path of this container.
    func json(_ leftOut: LeftOutValues?, _ path: [any CodingKey]) throws(JSONError) -> JSON {
        switch kind {
        case .empty: return [:]
        case .single: return single
        case .conflict: throw JSONError(.unsupportedType, "a value encodes itself as two kinds of container at once")
        case .array:
            try checkDepth()
            for child in childElements.reversed() {
                let key = AnyKey("\(child.position)")
                if let json = try Self.finished(child.node, leftOut, path + [key]) {
                    elements[child.position] = json
                } else {
                    elements.remove(at: child.position)
                }
            }
            return .array(elements)
        case .object:
            try checkDepth()
            for child in childMembers {
                if let json = try Self.finished(child.node, leftOut, path + [AnyKey(child.key)]) {
                    object.set(child.key, json)
                } else {
                    object.removeValue(forKey: child.key)
                }
            }
            if isSorted { object.sort() }
            return .object(object)
        }
    }

    private static func finished(
        _ node: EncodingNode, _ leftOut: LeftOutValues?, _ path: [any CodingKey]
    ) throws(JSONError) -> JSON? {
        do {
            return try node.json(leftOut, path)
        } catch {
            guard let leftOut else { throw error }
            leftOut.add(LeftOutValue(path.map(\.stringValue), error))
            return nil
        }
    }

    private func checkDepth() throws(JSONError) {
        guard depth < limit else { throw .tooDeep(limit: limit) }
    }
}
