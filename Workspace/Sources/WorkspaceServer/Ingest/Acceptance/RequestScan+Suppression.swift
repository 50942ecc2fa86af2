import TributaryJSON

extension RequestScan {
    /// The items that may be stored, by their places in the list.
    /// - Parameters:
    ///   - uploadedAt: when the client began the upload, by its clock; nil when it did not say.
    func allowed(by list: SuppressionList, uploadedAt: Int64?, receivedAt: Int64) -> [Int] {
        items.indices.filter { !isRefused($0, list, uploadedAt: uploadedAt, receivedAt: receivedAt) }
    }

    private func isRefused(_ index: Int, _ list: SuppressionList, uploadedAt: Int64?, receivedAt: Int64) -> Bool {
        let text = Array(bytes[items[index]])
        // What is nested too deeply is not stored.
        let names = SuppressionList.names(
            hasDeeper ? NestingCut.cut(text, below: JSONLimits.eventDepth) : text)
        // An item that is not an object names no user, and the indexer rejects it later.
        guard let item = item(index, ["userId", "anonymousId", "trackedAt"] + EventTimes.members) else { return false }
        let times = EventTimes(
            item, sentAt: uploadedAt ?? sentAt, sentAtIsFromUpload: uploadedAt != nil, receivedAt: receivedAt)
        // A trace has a time of its own.
        let trackedAt = item.json("trackedAt").flatMap(EventTime.milliseconds)
        func id(_ key: StaticString) -> String? {
            let text = item.text(key) ?? item.json(key)?.numberValue?.description
            return text?.isBlank == false ? text : nil
        }
        return list.refuses(
            userId: id("userId"), anonymousId: id("anonymousId"), names: names,
            at: times.originalTimestamp == nil ? trackedAt ?? times.timestamp : times.timestamp)
    }
}
