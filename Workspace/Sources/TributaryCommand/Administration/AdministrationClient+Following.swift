import ProgramSupport

extension AdministrationClient {
    /// Follows the event stream. When the connection ends, it connects again at the same place, so no message is left out
    /// or repeated.
    /// - Parameter take: gets each message after the position, and returns false to end.
    /// - Throws: `Failure` when the server refuses the stream.
    func follow(after start: Int64, _ take: (EventStream.Message) -> Bool) async throws {
        var (position, pause) = (start, Pause())
        while true {
            do {
                for try await message in try stream(after: position) {
                    pause = Pause()
                    Waiting.end()
                    guard let sequence = message.id, sequence > position else { continue }
                    position = sequence
                    guard take(message) else { return }
                }
            } catch let failure as EventStream.Refusal {
                throw Failure(failure.description)
            } catch {
                Waiting.obstacle("the workspace: \(error)")
            }
            try await pause.wait()
        }
    }
}
