/// The scripts of an engine by name, for places in errors.
struct ScriptPlaces {
    /// For each script with guards, the map to the places of the original.
    var maps: [String: GuardMap] = [:]
    /// For generated scripts, the map to the places of their sources.
    var sourceMaps: [String: ScriptSources] = [:]
    /// The library's own scripts. Errors name no place in those.
    var own: Set<String> = []

    /// The place in the author's file for a place that the engine names.
    func authors(_ place: ScriptPlace) -> ScriptPlace {
        var place = place
        if place.column > 0, let map = maps[place.file] {
            place.column = map.column(of: place.column, line: place.line)
        }
        return sourceMaps[place.file]?.map?.place(line: place.line, column: max(place.column, 1)) ?? place
    }
}

/// The source map of a script: a given one, or the one inside the script, which is read when an error needs it.
final class ScriptSources {
    private let script: String
    private let given: SourceMap?
    private(set) lazy var map: SourceMap? = given ?? SourceMap.inline(in: script)

    init(script: String, given: SourceMap?) {
        self.script = script
        self.given = given
    }
}

extension ScriptError {
    /// The error for the author of a script: with places in the author's file, without frames of the library's scripts, and
    /// with the reason why a name is missing. When one of the library's scripts has thrown, the place is that of the
    /// author's call.
    func translated(by places: ScriptPlaces, keepsStack: Bool = true) -> ScriptError {
        let frames = stack?.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !places.own.contains(ScriptPlace($0)?.file ?? "") }
        let place = places.authors(place(frames: frames ?? [], own: places.own))
        return ScriptError(
            reason, explainedMessage, line: place.line.nonzero,
            column: column == nil && place.file == file ? nil : place.column.nonzero,
            file: place.file.isEmpty ? nil : place.file,
            stack: keepsStack
                ? frames.map { $0.map { Self.translated(frame: $0, by: places) }.joined(separator: "\n") } : nil)
    }

    /// The error with the place that the engine named, without its stack. A place in one of the library's scripts is left out.
    func withoutStack(_ places: ScriptPlaces) -> ScriptError {
        let isOwn = file.map(places.own.contains) ?? false
        return ScriptError(
            reason, explainedMessage, line: isOwn ? nil : line, column: isOwn ? nil : column, file: isOwn ? nil : file)
    }

    private var explainedMessage: String { message + AbsentNames.explanation(of: message) + Self.advice(for: message) }

    /// Advice for an exception of a script that was pasted from a document; otherwise empty.
    private static func advice(for message: String) -> String {
        message.hasPrefix("TypeError: Cannot call a class constructor")
            ? " (write new before the name of the class)" : ""
    }

    /// Where the engine saw it, or who called what threw it.
    private func place(frames: [Substring], own: Set<String>) -> ScriptPlace {
        let first = frames.lazy.compactMap { ScriptPlace($0) }.first
        if let file, own.contains(file) { return first ?? ScriptPlace(file: "", line: 0, column: 0) }
        // An error class without a constructor of its own has no place; its caller has.
        if file == nil, let first { return first }
        return ScriptPlace(file: file ?? "", line: line ?? 0, column: column ?? 0)
    }

    private static func translated(frame: Substring, by places: ScriptPlaces) -> String {
        guard let place = ScriptPlace(frame), frame.hasSuffix(place.description) else { return String(frame) }
        return frame.dropLast(place.description.count) + places.authors(place).description
    }
}

/// A place in a script, as lines of a stack have it.
struct ScriptPlace: Equatable, CustomStringConvertible {
    var file: String
    var line: Int
    var column: Int

    var description: String { "\(file):\(line):\(column)" }
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
