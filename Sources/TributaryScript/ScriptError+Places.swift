/// The scripts of an engine by name, for places in errors.
struct ScriptPlaces {
    /// For each script with guards, the map to the places of the original.
    var maps: [String: GuardMap] = [:]
    /// The library's own scripts. Errors name no place in those.
    var own: Set<String> = []
}

extension ScriptError {
    /// The error for the author of a script: with columns of the author's file, and without frames of the library's
    /// scripts. When one of those has thrown, the place is that of the author's call.
    func translated(by places: ScriptPlaces) -> ScriptError {
        var frames: [Substring]?
        if let stack {
            frames = stack.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !places.own.contains(ScriptPlace($0)?.file ?? "") }
        }
        let given = ScriptPlace(file: file ?? "", line: line ?? 0, column: column ?? 0)
        var place = given
        let first = frames?.lazy.compactMap { ScriptPlace($0) }.first
        if let file, places.own.contains(file) {
            place = first ?? ScriptPlace(file: "", line: 0, column: 0)
        } else if file == nil, let first {
            // An error class without a constructor of its own has no place. The caller has one.
            place = first
        }
        let isElsewhere = place != given
        return ScriptError(
            reason, message, line: isElsewhere ? place.line.nonzero : line,
            column: (isElsewhere ? place.column.nonzero : column).map { column in
                places.maps[place.file]?.column(of: column, line: place.line) ?? column
            },
            file: isElsewhere ? (place.file.isEmpty ? nil : place.file) : file,
            stack: frames.map { $0.map { Self.translated(frame: $0, by: places) }.joined(separator: "\n") })
    }

    private static func translated(frame: Substring, by places: ScriptPlaces) -> String {
        guard let place = ScriptPlace(frame), let map = places.maps[place.file] else { return String(frame) }
        let name = frame.dropLast(String(place.column).count)
        return name + String(map.column(of: place.column, line: place.line))
    }
}

/// A place in a script.
struct ScriptPlace: Equatable {
    let file: String
    let line: Int
    let column: Int
}

extension ScriptPlace {
    /// The place in a line of a stack, `function@file:line:column`; nil for code of the engine.
    init?(_ frame: Substring) {
        let parts = frame.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let column = Int(parts[parts.count - 1]), let line = Int(parts[parts.count - 2]) else {
            return nil
        }
        let place = parts.dropLast(2).joined(separator: ":")
        let file = place.lastIndex(of: "@").map { String(place[place.index(after: $0)...]) } ?? place
        self.init(file: file, line: line, column: column)
    }
}

extension Int {
    fileprivate var nonzero: Int? { self == 0 ? nil : self }
}
