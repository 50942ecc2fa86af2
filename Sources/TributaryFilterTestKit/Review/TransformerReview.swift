import TributaryJSON

/// Reviews the transformers of a matcher: finds transformers that do nothing, or name paths that no event has.
struct TransformerReview {
    private let place: String
    private(set) var notes: [ReviewNote] = []
    private(set) var dropsEverything = false

    init(at place: String) { self.place = place }

    mutating func review(_ list: [JSON]) {
        for (position, transformer) in list.enumerated() {
            let path = "\(place)[\(position)]"
            if dropsEverything {
                note(.error, path, "a transformer before this one drops the event, so this one never runs")
                return
            }
            review(transformer, at: path)
        }
    }

    private mutating func review(_ transformer: JSON, at path: String) {
        let config = transformer["config"]
        switch transformer["type"]?.stringValue {
        case "drop": dropsEverything = true
        case "drop_properties": selection(config?["drop"], at: "\(path).config.drop", removes: true)
        case "allow_properties": selection(config?["allow"], at: "\(path).config.allow", removes: false)
        case "map_properties": map(config?["map"], at: "\(path).config.map")
        case "sample_event": sample(config?["sample"], at: "\(path).config.sample")
        case "hash_properties":
            note(
                .error, path,
                "hash_properties hashes nothing: devices pass the values on as they are; drop_properties removes them")
        default: break
        }
    }

    // MARK: drop_properties and allow_properties

    private mutating func selection(_ json: JSON?, at path: String, removes: Bool) {
        guard let entries = json?.objectValue else { return }
        if entries.isEmpty { note(.error, path, "no path is named, so nothing is removed") }
        for (object, list) in entries {
            let place = "\(path).\(object.isEmpty ? "\"\"" : object)"
            let keys = (list.elements ?? []).compactMap(\.stringValue)
            if !object.isEmpty { container(object, at: place) }
            if keys.isEmpty, removes { note(.error, place, "no key is named, so nothing is removed") }
            if object.isEmpty, !removes, !keys.contains("type") {
                note(
                    .warning, place,
                    "the event loses its type, and without one a destination cannot read it; name \"type\"")
            }
            for key in keys { self.key(key, of: object, at: place) }
        }
    }

    /// A key is one member, not a path.
    private mutating func key(_ key: String, of object: String, at place: String) {
        guard key.contains(".") else {
            return object.isEmpty ? path(key, at: place) : ()
        }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        let inner = ([object].filter { !$0.isEmpty } + parts.dropLast().map(String.init)).joined(separator: ".")
        let right = JSON.object([inner: .array([.string(String(parts.last ?? ""))])]).description
        // Properties can have a dot in their name. The members of an event have none.
        let severity: FilterFinding.Severity = object.isEmpty ? .error : .warning
        note(severity, place, "\"\(key)\" is the name of one member, not a path; for the path write \(right)")
    }

    /// A path of an object.
    private mutating func container(_ path: String, at place: String) {
        if EventShape.values.contains(path) {
            return note(.error, place, "\(path) has no members to remove; name it as a key of \"\"")
        }
        self.path(path, at: place)
    }

    // MARK: map_properties and sample_event

    private mutating func map(_ json: JSON?, at path: String) {
        guard let entries = json?.objectValue else { return }
        if entries.isEmpty { note(.error, path, "no path is named, so nothing is written") }
        for (target, action) in entries {
            let place = "\(path).\(target)"
            self.path(target, at: place)
            guard let object = action.objectValue else { continue }
            let acts = object["set"] != nil || object["copy"]?.isNull == false || object["move"]?.isNull == false
            if !acts, object["to_string"]?.boolValue != true {
                note(.error, place, "the entry does nothing: it needs set, copy, move or to_string")
            }
            for name in ["copy", "move"] {
                guard let source = object[name]?.stringValue else { continue }
                self.path(source, at: "\(place).\(name)")
                if source == target { note(.error, "\(place).\(name)", "the value is already at \"\(target)\"") }
            }
        }
    }

    private mutating func sample(_ json: JSON?, at path: String) {
        if let percent = json?["percent"]?.doubleValue {
            if percent < 0 || percent > 1 {
                let share = percent > 1 && percent <= 100 ? "; \(percent.shown) % is \((percent / 100).shown)" : ""
                note(.error, "\(path).percent", "percent is a share from 0 to 1\(share)")
            } else if percent == 0 {
                note(.warning, "\(path).percent", "a share of 0 drops every event; drop says so")
                dropsEverything = true
            } else if percent == 1 {
                note(.warning, "\(path).percent", "a share of 1 keeps every event")
            }
        }
        if let text = json?["path"]?.stringValue, !text.isEmpty { self.path(text, at: "\(path).path") }
    }

    private mutating func path(_ text: String, at place: String) {
        switch EventShape.fault(of: text) {
        case nil: break
        case .impossible(let reason): note(.error, place, reason)
        case .unusual(let reason): note(.warning, place, reason)
        }
    }

    private mutating func note(_ severity: FilterFinding.Severity, _ path: String, _ message: String) {
        notes.append(ReviewNote(severity: severity, path: path, message: message))
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var shown: String { self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : String(self) }
}
