/// The bounds of what a `ClientInspector` keeps in memory.
public enum InspectorLimits {
    /// The most events. A newer event replaces the oldest one.
    public static var events: Int { 100 }
    /// The most diagnostics. A newer diagnostic replaces the oldest one.
    public static var diagnostics: Int { 100 }
    /// The most signals. A newer signal replaces the oldest one.
    public static var signals: Int { 100 }
    /// The most plugins of one event.
    public static var steps: Int { 50 }
    /// The most changes of one plugin.
    public static var changes: Int { 20 }
    /// The most characters of one text.
    public static var letters: Int { 500 }

    static func shortened(_ text: String) -> String {
        // Counting the characters of a long text costs more than cutting it.
        let cut = text.prefix(letters)
        return cut.endIndex == text.endIndex ? text : cut + "…"
    }
}
