import TributaryJSON

extension RequestScan {
    /// The items that may be stored, by their places in the list.
    /// - Parameters:
    ///   - uploadedAt: when the client began the upload, by its clock; nil when it did not say.
    func allowed(by list: SuppressionList, uploadedAt: Int64?, receivedAt: Int64) -> [Int] {
        items.indices.filter { !isRefused($0, list, uploadedAt: uploadedAt, receivedAt: receivedAt) }
    }

    private func isRefused(_ index: Int, _ list: SuppressionList, uploadedAt: Int64?, receivedAt: Int64) -> Bool {
        let names = SuppressionList.names(Array(bytes[items[index]]))
        var scanner = JSONScanner(bytes, at: items[index].lowerBound)
        // An item that is not an object names no user, and the indexer rejects it later.
        guard scanner.peek == UInt8(ascii: "{"),
            let item = try? ScannedObject(&scanner, ["userId", "anonymousId", "timestamp", "trackedAt", "sentAt"])
        else { return false }
        let sentAt = uploadedAt ?? item.json("sentAt").flatMap(EventTime.milliseconds) ?? self.sentAt
        let times = EventTimes(
            originalTimestamp: (item.json("timestamp") ?? item.json("trackedAt")).flatMap(EventTime.milliseconds),
            sentAt: sentAt, sentAtIsFromUpload: uploadedAt != nil, receivedAt: receivedAt)
        func id(_ key: StaticString) -> String? {
            let text = item.text(key) ?? item.json(key)?.numberValue?.description
            return text?.isBlank == false ? text : nil
        }
        return list.refuses(userId: id("userId"), anonymousId: id("anonymousId"), names: names, at: times.timestamp)
    }
}
