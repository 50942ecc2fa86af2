extension Journal {
    /// Adds a record, returns its sequence at once, and calls back when its bytes are on the medium.
    ///
    /// For servers with many requests in flight: no thread waits, and records that arrive during one sync share the
    /// next one. It works with every durability.
    /// - Parameter whenDurable: called once, usually on a thread of the journal, with nil, or with the reason why the
    ///   record may not be on the medium. It should be short, because the next sync waits for it.
    /// - Throws: like `append`; `whenDurable` is not called then.
    @discardableResult
    public func append(
        _ payload: [UInt8], tag: JournalTag? = nil, snapshot: [UInt8]? = nil,
        whenDurable: @escaping @Sendable (JournalError?) -> Void
    ) throws(JournalError) -> UInt64 {
        let appended = try put(Entry(payload, tag: tag, snapshot: snapshot))
        enforceLimits(appended)
        commit.notify(appended.write, whenDurable)
        return appended.sequence
    }

    /// Adds a record and returns its sequence when its bytes are on the medium, without blocking a thread meanwhile.
    @discardableResult
    public func appendDurably(
        _ payload: [UInt8], tag: JournalTag? = nil, snapshot: [UInt8]? = nil
    ) async throws(JournalError) -> UInt64 {
        let result: Result<UInt64, JournalError> = await withCheckedContinuation { continuation in
            do throws(JournalError) {
                let appended = try put(Entry(payload, tag: tag, snapshot: snapshot))
                enforceLimits(appended)
                commit.notify(appended.write) { error in
                    continuation.resume(returning: error.map { .failure($0) } ?? .success(appended.sequence))
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
