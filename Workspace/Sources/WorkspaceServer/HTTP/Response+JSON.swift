import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

extension Response {
    /// An answer that is JSON text.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func json(_ value: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        json(value.encoded(), status: status, headers: headers)
    }

    static func text(_ text: String, type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
