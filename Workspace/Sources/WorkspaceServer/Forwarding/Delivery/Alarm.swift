/// Rings at the earliest of the times that were asked for. A ring too many must do no harm.
struct Alarm: Sendable {
    private var time: Int64?
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - time: milliseconds since 1970; nil asks for nothing.
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
                // Another time was asked for.
            }
        }
    }

    mutating func rang() { (time, task) = (nil, nil) }

    func cancel() { task?.cancel() }
}
