import Foundation
import TestSupport
import Tributary

extension TestServer {
    /// Requests to that host, in their order.
    func requests(to host: String) -> [TransportRequest] { allRequests.filter { $0.url.host == host } }
}
