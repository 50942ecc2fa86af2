import TributaryJSON

extension EventLines.Line {
    /// The JSON object of the line.
    /// - Parameter read: reads a text of JSON.
    /// - Throws: what the line is instead, with the place in the file: "is not JSON: … (line 3, column 5)".
    func object(
        _ read: ([UInt8]) throws(JSONError) -> JSON = { bytes throws(JSONError) in try JSON.parse(bytes) }
    ) throws(Failure) -> JSONObject {
        let json: JSON
        do throws(JSONError) {
            json = try read(bytes)
        } catch {
            throw Failure("is not JSON: \(error.inText(fromLine: number))")
        }
        guard let object = json.objectValue else { throw Failure("is no JSON object") }
        return object
    }
}
