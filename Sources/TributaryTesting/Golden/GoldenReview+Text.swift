public import TributaryJSON

extension GoldenReview {
    /// The review as a JSON object, as `tributary plugin test --against --json` prints it.
    public var json: JSON {
        [
            "sessions": .number(JSONNumber(sessions)), "records": .number(JSONNumber(records)),
            "same": .bool(isSame), "names": .array((names + [others].compactMap(\.self)).map(\.json)),
            "broken": .array(broken.map(\.json)),
        ]
    }

    /// The review as lines for people: the differences of each name with their fields, and then the broken rules.
    public var lines: [String] {
        differences.flatMap(\.lines) + broken.map { "rule broken: \($0.sentence)" }
    }
}

extension GoldenReview.Difference {
    fileprivate var json: JSON {
        var json = name.json
        for (key, number) in [
            ("same", same), ("changed", changed), ("dropped", dropped), ("made", made), ("unsteady", unsteady),
            ("moreFields", moreFields),
        ] { json[key] = .number(JSONNumber(number)) }
        json["fields"] = .array(fields.map(\.json))
        return json
    }

    fileprivate var lines: [String] {
        let counts = [
            (changed, "changed"), (dropped, "dropped"), (made, "made"), (same, "as before"), (unsteady, "by chance"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        var lines = ["\(name): \(words)"]
        lines += fields.map { field in
            "  \(field.path): \(field.events) events, such as \(field.before ?? "nothing") → \(field.after ?? "nothing")"
        }
        if moreFields > 0 { lines.append("  and \(moreFields) differences in other fields") }
        return lines
    }
}

extension GoldenReview.Field {
    fileprivate var json: JSON {
        [
            "path": .string(path), "events": .number(JSONNumber(events)), "before": before.map(JSON.string) ?? .null,
            "after": after.map(JSON.string) ?? .null,
        ]
    }
}

extension GoldenReview.BrokenRule {
    fileprivate var json: JSON {
        var json = name.json
        json["rule"] = .string(rule.rawValue)
        for (key, number) in [("before", before), ("missing", missing), ("sessions", sessions)] {
            json[key] = .number(JSONNumber(number))
        }
        json["text"] = .string(sentence)
        return json
    }

    /// The broken rule as a sentence.
    public var sentence: String {
        "\(name) is in the tracking plan, and \(missing) of \(before) would vanish, in \(sessions) "
            + (sessions == 1 ? "session" : "sessions")
    }
}
