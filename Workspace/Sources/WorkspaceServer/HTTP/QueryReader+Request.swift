package import Hummingbird
import WorkspaceCore

extension QueryReader {
    package init(_ request: Request) { self.init(query: request.uri.query ?? "") }
}
