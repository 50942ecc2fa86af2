/// The transport of a client that is given none: `URLSession` on Apple's systems, libcurl on Linux.
#if canImport(CCurl)
public typealias SystemTransport = CurlTransport
#else
public typealias SystemTransport = URLSessionTransport
#endif
