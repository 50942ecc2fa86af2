/// Sends a copy of waiting events while the process is suspended or after it has ended. The client gets no result. It
/// keeps the events and sends them as always, and the server recognises them by their message ids.
package protocol CopySender: Sendable {
    /// Takes a request, in place of an earlier one that was not sent.
    func take(_ request: TransportRequest)
    /// Withdraws a request that was not sent.
    func cancel()
    /// Called when the client has ended. A request that was taken is still sent.
    func close()
}
