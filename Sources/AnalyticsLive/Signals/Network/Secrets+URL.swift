import Foundation

extension Secrets {
    /// An address without its secrets: user and password, items of query and fragment under names of secrets, signed
    /// tokens in the path. Everything else keeps its spelling. A very long address is cut.
    static func removed(from url: URL) -> String { removed(fromAddress: url.absoluteString) }

    static func removed(fromAddress address: String) -> String {
        var rest = address[...]
        var text = ""
        if let scheme = rest.range(of: "://") {
            text += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
            let authority = rest[..<end]
            text += authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
            rest = rest[end...]
        }
        let fragment = rest.firstIndex(of: "#") ?? rest.endIndex
        let query = rest[..<fragment].firstIndex(of: "?") ?? fragment
        text += path(rest[..<query])
        if query < fragment { text += "?" + items(rest[query..<fragment].dropFirst()) }
        if fragment < rest.endIndex { text += "#" + fragmentText(rest[fragment...].dropFirst()) }
        return String(text.prefix(CaptureLimits.urlLetters))
    }

    /// The items of a query or form, `name=value`, separated by `&` or `;`.
    static func items(_ text: Substring) -> String {
        var result = ""
        var item = text.startIndex
        while true {
            let end = text[item...].firstIndex { $0 == "&" || $0 == ";" } ?? text.endIndex
            result += self.item(text[item..<end])
            guard end < text.endIndex else { return result }
            result.append(text[end])
            item = text.index(after: end)
        }
    }

    private static func item(_ item: Substring) -> String {
        guard let sign = item.firstIndex(of: "=") else {
            return isSecret(value: plain(item)) ? mark : String(item)
        }
        let value = plain(item[item.index(after: sign)...])
        guard !value.isEmpty else { return String(item) }
        let isHidden =
            isSecret(name: plain(item[..<sign]), inQuery: true) || isSecret(value: value) || areGiven(in: value)
        return isHidden ? "\(item[...sign])\(mark)" : String(item)
    }

    /// The segments of a path, and parameters after them: `;jsessionid=…`.
    private static func path(_ path: Substring) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            if isSecret(value: plain(segment)) { return mark }
            return segment.contains(";") || segment.contains("=") ? items(segment) : String(segment)
        }.joined(separator: "/")
    }

    /// Some pages have items after the fragment's own path: `#/login?token=…`.
    private static func fragmentText(_ fragment: Substring) -> String {
        guard let mark = fragment.firstIndex(of: "?") else { return items(fragment) }
        return items(fragment[..<mark]) + "?" + items(fragment[mark...].dropFirst())
    }

    private static func plain(_ text: Substring) -> String {
        let text = text.replacingOccurrences(of: "+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}
