extension ScriptError {
    /// The error with the columns of the author's files, where scripts were given guards.
    func translated(by maps: [String: GuardMap]) -> ScriptError {
        guard !maps.isEmpty else { return self }
        var column = column
        if let file, let line, let given = column, let map = maps[file] { column = map.column(of: given, line: line) }
        let stack = stack.map { stack in
            stack.split(separator: "\n", omittingEmptySubsequences: false)
                .map { Self.translated(frame: $0, by: maps) }.joined(separator: "\n")
        }
        return ScriptError(reason, message, line: line, column: column, file: file, stack: stack)
    }

    /// A line of a stack: `function@file:line:column`.
    private static func translated(frame: Substring, by maps: [String: GuardMap]) -> String {
        let parts = frame.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let column = Int(parts[parts.count - 1]), let line = Int(parts[parts.count - 2]) else {
            return String(frame)
        }
        let place = parts.dropLast(2).joined(separator: ":")
        let file = place.lastIndex(of: "@").map { String(place[place.index(after: $0)...]) } ?? place
        guard let map = maps[file] else { return String(frame) }
        return "\(place):\(line):\(map.column(of: column, line: line))"
    }
}
