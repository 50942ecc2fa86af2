/// Rings at the earliest of the requested times. The caller must expect a ring too many.
struct Alarm: Sendable {
    private var time: Int64?
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - time: milliseconds since 1970; nil requests nothing.
    ///   - ring: called once, on any thread.
    mutating func ring(at time: Int64?, now: Int64, _ ring: @escaping @Sendable () -> Void) {
        guard let time, time < self.time ?? .max else { return }
        task?.cancel()
        self.time = time
        task = Task {
            do {
                try await Task.sleep(for: .milliseconds(max(0, time - now)))
                ring()
            } catch {
                // A later call requested another time.
            }
        }
    }

    mutating func rang() { (time, task) = (nil, nil) }

    func cancel() { task?.cancel() }
}
