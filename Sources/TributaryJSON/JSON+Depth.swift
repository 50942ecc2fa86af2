extension JSONObject {
    /// The object without the arrays and objects that exceed a depth. Their neighbours stay.
    /// - Parameter limit: the levels of nested arrays and objects that are kept, this object included.
    /// - Returns: also the places of what was left out.
    package func leavingOut(deeperThan limit: Int) -> (kept: JSONObject, leftOut: [String]) {
        var cut = DepthCut(limit: limit)
        return (cut.cut(self, depth: 0), cut.places)
    }
}

/// Cuts values that are nested too deep. It walks no deeper than the limit.
private struct DepthCut {
    let limit: Int
    private(set) var places: [String] = []
    private var path: [String] = []

    init(limit: Int) { self.limit = limit }

    /// - Parameter depth: the number of arrays and objects around the object.
    mutating func cut(_ object: JSONObject, depth: Int) -> JSONObject {
        var kept = object
        for (key, value) in object {
            switch child(value, key, depth: depth + 1) {
            case .same: break
            case .changed(let value): kept[key] = value
            case .leftOut: kept[key] = nil
            }
        }
        return kept
    }

    private mutating func cut(_ elements: [JSON], depth: Int) -> [JSON] {
        var kept: [JSON] = []
        kept.reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() {
            switch child(value, "\(index)", depth: depth + 1) {
            case .same: kept.append(value)
            case .changed(let value): kept.append(value)
            case .leftOut: break
            }
        }
        return kept
    }

    private enum Change {
        case same, leftOut
        case changed(JSON)
    }

    private mutating func child(_ value: JSON, _ key: String, depth: Int) -> Change {
        let isCollection = value.objectValue != nil || value.elements != nil
        guard isCollection else { return .same }
        path.append(key)
        defer { path.removeLast() }
        guard depth < limit else {
            places.append(path.place)
            return .leftOut
        }
        let known = places.count
        let changed: JSON
        switch value {
        case .object(let object): changed = .object(cut(object, depth: depth))
        case .array(let elements): changed = .array(cut(elements, depth: depth))
        case .null, .bool, .number, .string: return .same
        }
        return places.count == known ? .same : .changed(changed)
    }
}
