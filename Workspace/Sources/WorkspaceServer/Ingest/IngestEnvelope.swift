import TributaryJSON

/// An ingest body taken apart: who sends, when, and which items.
struct IngestEnvelope {
    let object: JSONObject
    let items: [JSON]
    let writeKey: String?
    let sentAt: Int64?

    /// A body with its items under a key.
    static func batch(_ json: JSON, itemsIn key: String) throws(APIError) -> IngestEnvelope {
        guard let object = json.objectValue else { throw .badRequest("the body must be a JSON object") }
        guard let items = object[key]?.elements else { throw .badRequest("\(key) must be an array") }
        guard items.count <= Limits.eventsInBatch else {
            throw .badRequest("\(key) has \(items.count) elements, at most \(Limits.eventsInBatch) are taken at once")
        }
        return IngestEnvelope(object: object, items: items)
    }

    /// A body that is itself the one item.
    static func single(_ json: JSON) throws(APIError) -> IngestEnvelope {
        guard let object = json.objectValue else { throw .badRequest("the body must be a JSON object") }
        return IngestEnvelope(object: object, items: [json])
    }

    private init(object: JSONObject, items: [JSON]) {
        self.object = object
        self.items = items
        writeKey = object["writeKey"]?.stringValue
        sentAt = object["sentAt"]?.stringValue.flatMap(ISO8601.milliseconds)
    }

    /// The members that hold for every item that does not say otherwise.
    var shared: [(key: String, value: JSONObject)] {
        ["context", "integrations"].compactMap { key in object[key]?.objectValue.map { (key, $0) } }
    }
}
