import Hummingbird

extension QueryReader {
    init(_ request: Request) { self.init(query: request.uri.query ?? "") }
}
