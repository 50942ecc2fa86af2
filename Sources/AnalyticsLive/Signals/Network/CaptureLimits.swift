/// The limits of the automatic capture, each with its reason.
enum CaptureLimits {
    /// Bytes of a body; a longer one is left out. A quarter of what a signal may have, so that an escaped text fits too.
    static let bodyBytes = 64 * 1024
    /// Letters of an address; what is behind them is cut. Longer ones are refused by most servers.
    static let urlLetters = 4096
    /// Letters of a name in front of `=` or `:` that is looked at. No secret has a longer one.
    static let nameLetters = 64
    /// Letters of what is said of an error.
    static let errorLetters = 200
    /// Letters of what a component shows or holds.
    static let titleLetters = 500
    /// Items of a selection that are told.
    static let selectedItems = 20
}
