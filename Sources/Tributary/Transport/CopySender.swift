/// Sends a copy of events that wait while the process is suspended, or has ended. The client hears nothing of it: it keeps the
/// events and sends them as always, and the server knows them by their message ids.
package protocol CopySender: Sendable {
    /// Takes a request over, in the place of one that it still has.
    func take(_ request: TransportRequest)
    /// Gives up what was not sent: the client does that itself again.
    func cancel()
    /// The client has ended. What was taken over is sent all the same.
    func close()
}
