import TributaryJSON

/// Reads what the stages on a device did with an event.
enum TraceReader {
    static func read(_ item: JSON) throws(Rejection) -> IncomingTrace {
        guard let object = item.objectValue else { throw Rejection(.notAnObject, "a trace must be a JSON object") }
        guard let messageId = object["messageId"]?.stringValue, !messageId.isBlank,
            messageId.count <= Limits.messageIdLength
        else {
            throw Rejection(
                .badMessageId,
                "a messageId is a text of 1 to \(Limits.messageIdLength) characters, not only white space")
        }
        guard let type = object["type"]?.stringValue, EventType(rawValue: type) != nil else {
            throw Rejection(.unknownType, "the type of a trace is one of the calls of the protocol")
        }
        guard let trackedAt = object["trackedAt"].flatMap(EventTime.milliseconds) else {
            throw Rejection(.badField, "trackedAt must be a timestamp")
        }
        guard let outcome = object["outcome"]?.stringValue, ["sent", "dropped"].contains(outcome) else {
            throw Rejection(.badField, "outcome must be \"sent\" or \"dropped\"")
        }
        try checkStages(object)
        let body = item.encoded()
        guard body.count <= Limits.traceBytes else {
            throw Rejection(.tooLarge, "a trace has \(body.count) bytes, at most \(Limits.traceBytes) are taken")
        }
        return IncomingTrace(messageId: messageId, isDropped: outcome == "dropped", trackedAt: trackedAt, body: body)
    }

    private static func checkStages(_ object: JSONObject) throws(Rejection) {
        guard let stages = object["stages"]?.elements, stages.allSatisfy({ $0.objectValue != nil }) else {
            throw Rejection(.badField, "stages must be an array of objects")
        }
        for stage in stages {
            guard stage["stage"]?.stringValue != nil, stage["plugin"]?.stringValue != nil,
                stage["outcome"]?.stringValue != nil
            else { throw Rejection(.badField, "a stage needs stage, plugin and outcome as texts") }
        }
    }
}
