/// The default transport of a client: `URLSession` on Apple's systems, libcurl on Linux.
#if canImport(CCurl)
public typealias SystemTransport = CurlTransport
#else
public typealias SystemTransport = URLSessionTransport
#endif
