/// Whether clients of this interface log their calls.
enum DebugMode {
    private static let state = LockBox(false)

    static var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
