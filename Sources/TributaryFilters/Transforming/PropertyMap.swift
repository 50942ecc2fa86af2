import TributaryJSON

/// The writes of `map_properties`: values that are set, copied, moved or turned into texts.
///
/// Reads see the event as it was before the transformer, so two properties can swap their values.
struct PropertyMap: Sendable {
    enum Action: Sendable {
        case none
        case set(JSON)
        case copy(FilterPath)
        case move(FilterPath)
        /// Removes the value that would have been overwritten: the safe side of an entry that must not or cannot be
        /// done.
        case withhold
    }

    struct Entry: Sendable {
        let target: FilterPath
        /// The object that has to exist. For a target of one key it is the event itself.
        let parent: FilterPath
        let action: Action
        let toString: Bool

        init(target: FilterPath, action: Action, toString: Bool) {
            self.target = target
            parent = target.parent
            self.action = action
            self.toString = toString
        }
    }

    private(set) var entries: [Entry] = []
    /// Whether the configuration has no map, which the field's evaluators treat as an empty one.
    let isMissing: Bool
    let limits: FilterLimits

    /// Reads the configuration. An invalid entry is reported and withholds its target.
    init(
        _ json: JSON?, at path: String, limits: FilterLimits, errors: inout [FilterError]
    ) throws(FilterError) {
        self.limits = limits
        isMissing = json?.isNull ?? true
        if isMissing { return }
        guard let object = json?.objectValue else {
            throw FilterError(.badConfiguration, at: path, "must be an object of paths with actions")
        }
        for (text, action) in object {
            let place = "\(path).\(FilterError.shortened(text))"
            let target = try FilterPath(text, at: place, limits: limits)
            do throws(FilterError) {
                entries.append(try Self.entry(target, action, at: place, limits: limits))
            } catch {
                errors.append(error)
                entries.append(Entry(target: target, action: .withhold, toString: false))
            }
        }
    }

    /// A map that only removes: every value that this map would overwrite or move away. It writes nothing.
    func withholding() -> PropertyMap {
        var result = self
        result.entries = entries.flatMap { entry -> [Entry] in
            let target = Entry(target: entry.target, action: .withhold, toString: false)
            switch entry.action {
            case .none: return []
            case .set, .copy, .withhold: return [target]
            case .move(let source): return [target, Entry(target: source, action: .withhold, toString: false)]
            }
        }
        return result
    }

    private static func entry(
        _ target: FilterPath, _ json: JSON, at path: String, limits: FilterLimits
    ) throws(FilterError) -> Entry {
        guard let object = json.objectValue else {
            throw FilterError(.badConfiguration, at: path, "an action must be an object")
        }
        var action = Action.none
        if let source = try source(object["copy"], at: "\(path).copy", limits: limits) {
            action = .copy(source)
        } else if let source = try source(object["move"], at: "\(path).move", limits: limits) {
            action = .move(source)
        } else if let value = object["set"] {
            action = .set(value)
        }
        return Entry(target: target, action: action, toString: object["to_string"]?.isTruthy ?? false)
    }

    /// The source of an entry. A missing, empty or otherwise falsy source counts as none.
    private static func source(
        _ json: JSON?, at path: String, limits: FilterLimits
    ) throws(FilterError) -> FilterPath? {
        guard let json, json.isTruthy else { return nil }
        guard let text = json.stringValue else {
            throw FilterError(.badConfiguration, at: path, "a source must be a path")
        }
        return try FilterPath(text, at: path, limits: limits)
    }

    // MARK: Work

    /// Whether something was written or removed. An entry that cannot be written is left out and reported.
    func apply(to event: inout JSON, errors: inout [FilterError]) -> Bool {
        let before = event
        var hasChanged = false
        for entry in entries where canHold(entry, before) {
            for write in perform(entry, before, &event) {
                switch write {
                case .written: hasChanged = true
                case .withoutEffect: break
                case .failed(let error): errors.append(error)
                }
            }
        }
        return hasChanged
    }

    /// Whether the parent of an entry can be written to. Null passes here, and fails at the write.
    private func canHold(_ entry: Entry, _ before: JSON) -> Bool {
        entry.parent.value(in: before)?.isObjectType ?? false
    }

    private func perform(_ entry: Entry, _ before: JSON, _ event: inout JSON) -> [FilterPath.Write] {
        var writes: [FilterPath.Write] = []
        switch entry.action {
        case .none: break
        case .set(let value): writes.append(entry.target.write(value, to: &event, limits: limits))
        case .copy(let source): writes.append(copy(source, to: entry.target, before, &event))
        case .move(let source):
            writes.append(copy(source, to: entry.target, before, &event))
            if case .failed = writes[0] { return writes }
            // As in the field, a falsy value is copied and also stays at its place.
            guard source.value(in: event)?.isTruthy ?? false else { break }
            if source.isUnremovable(in: event) {
                let error = FilterError(.unwritable, at: "", "a character or a length cannot be moved away")
                writes.append(.failed(error))
            } else if source.remove(from: &event) {
                writes.append(.written)
            }
        case .withhold: if entry.target.remove(from: &event) { writes.append(.written) }
        }
        if entry.toString, let text = text(at: entry.target, event) {
            writes.append(entry.target.write(.string(text), to: &event, limits: limits))
        }
        return writes
    }

    private func copy(
        _ source: FilterPath, to target: FilterPath, _ before: JSON, _ event: inout JSON
    ) -> FilterPath.Write {
        guard let value = source.value(in: before) else { return .withoutEffect }
        var budget = limits.copiedValues
        guard fits(value, depth: target.keys.count, &budget) else {
            return .failed(FilterError(.limit, at: "", "a copied value is too large or would be nested too deep"))
        }
        return target.write(value, to: &event, limits: limits)
    }

    private func fits(_ value: JSON, depth: Int, _ budget: inout Int) -> Bool {
        budget -= 1
        guard budget >= 0, depth <= limits.eventDepth else { return false }
        switch value {
        case .array(let elements):
            for element in elements where !fits(element, depth: depth + 1, &budget) { return false }
        case .object(let object):
            for member in object where !fits(member.value, depth: depth + 1, &budget) { return false }
        case .null, .bool, .number, .string: break
        }
        return true
    }

    /// The text of `to_string`; nil for values that stay as they are: texts, arrays and objects.
    private func text(at target: FilterPath, _ event: JSON) -> String? {
        switch target.value(in: event) {
        case nil: return "undefined"
        case .string, .array, .object: return nil
        case let value?:
            var bytes: [UInt8] = []
            JavaScriptText.stringify(value, into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
