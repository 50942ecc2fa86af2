import TributaryJSON

/// The selection of `drop_properties` and `allow_properties`: keys inside of objects at paths.
struct PropertySelection: Sendable {
    struct Entry: Sendable {
        /// The object, or the array of objects; a path without keys is the event itself.
        let path: FilterPath
        let keys: [String]
        /// The keys as members, because a set would treat different spellings of a letter as one key.
        let members: JSONObject

        init(path: FilterPath, keys: [String]) {
            self.path = path
            self.keys = keys
            var members = JSONObject()
            for key in keys { members[key] = .null }
            self.members = members
        }

        func names(_ key: String) -> Bool { members[key] != nil }
    }

    /// Whether the selected keys are removed, or all others.
    enum Effect: Sendable { case remove, keep }

    let effect: Effect
    private(set) var entries: [Entry] = []

    init(_ effect: Effect, _ json: JSON?, at path: String, limits: FilterLimits) throws(FilterError) {
        self.effect = effect
        guard let object = json?.objectValue else {
            throw FilterError(.badConfiguration, at: path, "must be an object of paths with lists of keys")
        }
        for (text, list) in object {
            let place = "\(path).\(FilterError.shortened(text))"
            guard let elements = list.elements else {
                throw FilterError(.badConfiguration, at: place, "must be a list of keys")
            }
            var keys: [String] = []
            for (position, element) in elements.enumerated() {
                guard let key = element.stringValue else {
                    throw FilterError(.badConfiguration, at: "\(place)[\(position)]", "a key must be a text")
                }
                keys.append(key)
            }
            let target = text.isEmpty ? FilterPath(keys: []) : try FilterPath(text, at: place, limits: limits)
            entries.append(Entry(path: target, keys: keys))
        }
    }

    /// Whether something was removed.
    func apply(to event: inout JSON) -> Bool {
        var hasRemoved = false
        for entry in entries where needsChange(entry, event) {
            let changed = entry.path.update(&event) { target in removeProperties(entry, from: &target) }
            if changed == true { hasRemoved = true }
        }
        return hasRemoved
    }

    /// Checks first whether there is a change, so that an event with other owners is copied only for a change.
    private func needsChange(_ entry: Entry, _ event: JSON) -> Bool {
        switch entry.path.value(in: event) {
        case .object(let object): needsChange(entry, object)
        case .array(let elements):
            elements.contains { element in
                switch element {
                case .object(let object): needsChange(entry, object)
                case .array(let inner): inner.indices.contains { goes($0, entry, inner) }
                case .null, .bool, .number, .string: false
                }
            }
        default: false
        }
    }

    private func needsChange(_ entry: Entry, _ object: JSONObject) -> Bool {
        switch effect {
        case .remove: entry.keys.contains { object[$0] != nil }
        case .keep: object.contains { !entry.names($0.key) }
        }
    }

    /// Whether an element of an array inside an array is removed. Its keys are its positions.
    private func goes(_ position: Int, _ entry: Entry, _ elements: [JSON]) -> Bool {
        !elements[position].isNull && entry.names(String(position)) == (effect == .remove)
    }

    private func removeProperties(_ entry: Entry, from json: inout JSON) -> Bool {
        switch json {
        case .object(let object):
            guard needsChange(entry, object) else { return false }
            json = .object(remaining(entry, of: object))
            return true
        case .array(var elements):
            json = .null  // drops the second reference, so the elements are changed in place
            var hasRemoved = false
            for position in elements.indices where removeProperties(entry, fromElement: &elements[position]) {
                hasRemoved = true
            }
            json = .array(elements)
            return hasRemoved
        default:
            return false
        }
    }

    /// An array directly inside an array loses elements as with `delete`, which leaves a hole: null.
    private func removeProperties(_ entry: Entry, fromElement element: inout JSON) -> Bool {
        switch element {
        case .object(let object):
            guard needsChange(entry, object) else { return false }
            element = .object(remaining(entry, of: object))
            return true
        case .array(var inner):
            let positions = inner.indices.filter { goes($0, entry, inner) }
            for position in positions { inner[position] = .null }
            element = .array(inner)
            return !positions.isEmpty
        case .null, .bool, .number, .string:
            return false
        }
    }

    /// The object is built in one pass, because removing members one by one would be quadratic for a large object.
    private func remaining(_ entry: Entry, of object: JSONObject) -> JSONObject {
        var result = object
        result.removeAll { entry.names($0.key) == (effect == .remove) }
        return result
    }
}
