extension Duration {
    /// Waits this long.
    /// - Returns: false when the task is cancelled, because the server stops.
    package func wait() async -> Bool {
        do {
            try await Task.sleep(for: self)
            return true
        } catch {
            return false
        }
    }
}
