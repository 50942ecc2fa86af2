package import AsyncHTTPClient
package import NIOHTTP1
import WorkspaceCore

extension ServiceAddress {
    /// A request to the address. The only place that makes requests for the HTTP client.
    package func request(_ method: HTTPMethod) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: description)
        request.method = method
        return request
    }
}
