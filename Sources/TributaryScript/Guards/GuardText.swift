/// The texts of guards in a script.
///
/// The global counter `__tributary_left` and the functions are bindings of the sandbox that are no members of any
/// object, and a script that names one of them is not rewritten; so no script can read, change or hide them.
enum GuardText {
    /// The prefix of names that a script must not use.
    static let prefix = "__tributary_"

    /// Behind the opening brace of a function. An async function is also counted, for what its promise costs later.
    static func entry(_ style: GuardStyle, hasLoops: Bool, isAsync: Bool) -> String {
        if isAsync, style != .shadowed { return "\(waiting);" + entry(style, hasLoops: hasLoops, isAsync: false) }
        return switch (style, hasLoops) {
        case (.shadowed, _): "\(shadowed);"
        case (_, true): "let __tributary_turns=0;--__tributary_left>0||__tributary_look();"
        case (_, false): "--__tributary_left>0||__tributary_look();"
        }
    }

    /// Before the condition of a loop; itself true when the loop has none. No text is another one and a text of the author,
    /// so that each can be found again.
    static func condition(_ style: GuardStyle, isWhole: Bool) -> String {
        guard isWhole else { return "\(guarding(style))," }
        return switch style {
        case .counted: "(\(guarding(style)))"
        case .global: "(--__tributary_left>0||!__tributary_look())"
        case .shadowed: "(!\(shadowed))"
        }
    }

    /// Before the body of a loop over the members or values of something.
    static func body(_ style: GuardStyle) -> String { "if(\(guarding(style)),0);else " }

    /// Before an expression, which may be the body of an async arrow function.
    static func expression(_ style: GuardStyle, isAsync: Bool = false) -> String {
        let counted = isAsync ? "(\(waiting),--__tributary_left<0)" : "--__tributary_left<0"
        return style == .shadowed ? "\(shadowed)?0:" : "\(counted)&&__tributary_look()?0:"
    }

    /// Around a regular expression that can take very long.
    static func bounded(_ style: GuardStyle) -> (before: String, behind: String) {
        style == .shadowed
            ? (" 0[\"__tributary_bounded\"](", ",0[\"__tributary_guard\"]())")
            : (" __tributary_bounded(", ",__tributary_left)")
    }

    private static func guarding(_ style: GuardStyle) -> String {
        switch style {
        case .counted: "--__tributary_turns>0||(__tributary_turns=__tributary_take())"
        case .global: "--__tributary_left>0||__tributary_look()"
        case .shadowed: shadowed
        }
    }

    private static let waiting = "++__tributary_waiting"

    /// Inside of `with`, an object may hide every name. A member of a number is looked up without names.
    private static let shadowed = "0[\"__tributary_guard\"]()"

    /// Every text that can have been inserted, the longest first.
    static let all: [String] = {
        var texts: Set<String> = []
        for style in GuardStyle.allCases {
            for isAsync in [true, false] {
                texts.formUnion([true, false].map { entry(style, hasLoops: $0, isAsync: isAsync) })
                texts.insert(expression(style, isAsync: isAsync))
            }
            texts.formUnion([true, false].map { condition(style, isWhole: $0) })
            texts.formUnion([body(style), bounded(style).before, bounded(style).behind])
        }
        return texts.sorted { ($0.count, $0) > ($1.count, $1) }
    }()
}

/// How a guard counts.
enum GuardStyle: CaseIterable {
    /// By a counter of the function, which takes its turns from the global one.
    case counted
    /// By the global counter, outside of functions.
    case global
    /// By a call, where names can be hidden.
    case shadowed
}
