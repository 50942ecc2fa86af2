import Hummingbird
import WorkspaceCore

extension QueryReader {
    init(_ request: Request) { self.init(query: request.uri.query ?? "") }
}
