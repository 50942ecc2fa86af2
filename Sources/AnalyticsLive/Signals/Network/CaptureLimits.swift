/// The limits of the automatic capture, each with its reason.
enum CaptureLimits {
    /// Bytes of a body; a longer one is left out. This is a quarter of a signal's limit, so that an escaped text fits,
    /// too.
    static let bodyBytes = 64 * 1024
    /// Characters of an address; the rest is cut. Most servers refuse longer ones.
    static let urlLetters = 4096
    /// Characters of a name before `=` or `:` that are examined. No secret has a longer name.
    static let nameLetters = 64
    /// Characters of the description of an error.
    static let errorLetters = 200
    /// Characters of the text of a component.
    static let titleLetters = 500
    /// Items of a selection in a signal.
    static let selectedItems = 20
}
