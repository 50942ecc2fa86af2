/// Names a screen by the type of its view.
enum ScreenNaming {
    /// Types that only wrap a view. Their first argument is the view itself.
    private static let wrappers: Set<String> = [
        "ModifiedContent", "_ConditionalContent", "Optional", "LazyView", "TupleView",
    ]

    /// The name of the view without its wrappers: `ProductDetail` for
    /// `ModifiedContent<Shop.ProductDetail, _PaddingLayout>`.
    static func name(ofType type: String) -> String {
        var name = type[...]
        // Each round removes something from the front, so the loop ends.
        while let angle = name.firstIndex(of: "<") {
            let outer = last(of: name[..<angle])
            guard wrappers.contains(String(outer)) else { return String(outer) }
            name = firstArgument(of: name[name.index(after: angle)...])
            if name.hasPrefix("("), name.hasSuffix(")") { name = firstArgument(of: name.dropFirst()) }
        }
        let plain = last(of: name)
        return plain.isEmpty ? type : String(plain)
    }

    /// The name without the module and the types around it.
    private static func last(of name: Substring) -> Substring {
        let name = name.drop { $0 == "(" }
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name
    }

    private static func firstArgument(of arguments: Substring) -> Substring {
        var depth = 0
        for index in arguments.indices {
            switch arguments[index] {
            case "<", "(": depth += 1
            case ">", ")":
                if depth == 0 { return arguments[..<index] }
                depth -= 1
            case "," where depth == 0: return arguments[..<index]
            default: break
            }
        }
        return arguments
    }
}
