/// Whether clients of this interface say what they do.
enum DebugMode {
    private static let state = LockBox(false)

    static var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
