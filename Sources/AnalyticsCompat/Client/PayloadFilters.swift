import Foundation

/// Removes secrets from texts: regular expressions and their replacements.
struct PayloadFilters {
    private let filters: [(expression: NSRegularExpression, template: String)]
    /// The patterns that are not regular expressions.
    let mistakes: [String]

    init(_ patterns: [String: String]) {
        var mistakes: [String] = []
        filters = patterns.sorted { $0.key < $1.key }.compactMap { pattern, template in
            guard let expression = try? NSRegularExpression(pattern: pattern) else {
                mistakes.append(pattern)
                return nil
            }
            return (expression, template)
        }
        self.mistakes = mistakes
    }

    func apply(to text: String) -> String {
        filters.reduce(text) { text, filter in
            let range = NSRange(text.startIndex..., in: text)
            return filter.expression.stringByReplacingMatches(in: text, range: range, withTemplate: filter.template)
        }
    }

    /// Filters every text in the value, but not the names of members.
    func apply(to json: JSON) -> JSON {
        switch json {
        case .string(let text): return .string(apply(to: text))
        case .array(let elements): return .array(elements.map { apply(to: $0) })
        case .object(var object):
            for member in object { object[member.key] = apply(to: member.value) }
            return .object(object)
        default: return json
        }
    }

    /// Filters an address. When the result is not an address, everything after its path is removed.
    func apply(to url: URL) -> URL {
        let text = apply(to: url.absoluteString)
        guard text != url.absoluteString else { return url }
        if let filtered = URL(string: text) { return filtered }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.url ?? URL(fileURLWithPath: "/")
    }
}
