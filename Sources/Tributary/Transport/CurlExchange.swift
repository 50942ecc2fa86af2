#if canImport(CTributaryCurl)
import CTributaryCurl
import Dispatch
import Foundation

/// One request with its libcurl handle, and the answer so far.
final class CurlExchange {
    let handle: UnsafeMutableRawPointer
    let deadline: DispatchTime
    let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void
    /// Scheme, host and port.
    let server: String
    let timeout: TransportError
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var answer: HTTPAnswer

    init(_ order: CurlLoop.Order) throws {
        guard let handle = curl_easy_init() else { throw TransportError("libcurl could not create a handle") }
        self.handle = handle
        deadline = order.deadline
        completion = order.completion
        server = order.server
        timeout = order.timeout
        answer = HTTPAnswer(limit: order.request.answerLimit)
        try setConnection()
        if let authorities = order.authorities { try set(CURLOPT_CAINFO, authorities) }
        try setRequest(order.request)
        try setAnswer()
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    /// The result for the completion, after libcurl has reported the end.
    func result(_ code: CURLcode) -> Result<TransportResponse, TransportError> {
        if let ended = answer.result(isWhole: code == CURLE_OK) { return ended }
        guard code == CURLE_OK else { return .failure(TransportError(String(cString: curl_easy_strerror(code)))) }
        return .failure(TransportError("the answer ended within its head"))
    }

    // Options

    private func setConnection() throws {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // Requests to a server come one after the other, so HTTP/2 would bring nothing.
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        // An answer of a proxy is not an answer of the server.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try check(tributary_curl_allow_http_only(handle))
        tributary_curl_leave_name_lookup(handle)
    }

    private func setRequest(_ request: TransportRequest) throws {
        try set(CURLOPT_URL, request.url.absoluteString)
        switch (request.method, request.body) {
        case ("GET", _): try set(CURLOPT_HTTPGET, 1)
        case ("HEAD", _): try set(CURLOPT_NOBODY, 1)
        case (_, let body):
            try setBody(body ?? [])
            if request.method != "POST" { try setMethod(request.method) }
        }
        try setFields(request.headers)
    }

    private func setMethod(_ method: String) throws {
        guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw TransportError("\"\(method)\" is not an HTTP method")
        }
        try set(CURLOPT_CUSTOMREQUEST, method)
    }

    private func setBody(_ body: [UInt8]) throws {
        try set(CURLOPT_POST, 1)
        try check(tributary_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        // The buffer of an empty array may be nil, and libcurl would then take the body from elsewhere.
        let bytes = body.isEmpty ? [0] : body
        try check(bytes.withUnsafeBytes { tributary_curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
    }

    private func setFields(_ headers: [String: String]) throws {
        // libcurl decodes the answer before it is counted. A field of the caller replaces this one.
        try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        let names = Set(headers.keys.map { $0.lowercased() })
        for (name, value) in headers {
            guard Self.isName(name), Self.isValue(value) else {
                throw TransportError("the header field \"\(name)\" cannot be sent")
            }
            try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Removes fields that libcurl adds: a pause before the body, and the type of a form.
        for name in ["Expect", "Content-Type"] where !names.contains(name.lowercased()) { try append("\(name):") }
        try check(tributary_curl_set_list(handle, CURLOPT_HTTPHEADER, fields))
    }

    private func append(_ field: String) throws {
        guard let list = curl_slist_append(fields, field) else { throw TransportError("no memory for header fields") }
        fields = list
    }

    private func setAnswer() throws {
        // Unretained, because the code that runs libcurl holds the exchange.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(tributary_curl_set_context(handle, CURLOPT_HEADERDATA, context))
        try check(tributary_curl_set_context(handle, CURLOPT_WRITEDATA, context))
        try check(
            tributary_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlExchange.take(bytes, size * count, context) { $0.takeLine($1) }
            })
        try check(
            tributary_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlExchange.take(bytes, size * count, context) { $0.takeBody($1) }
            })
    }

    /// - Returns: the number of bytes, or another number to end the request.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ body: (inout HTTPAnswer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard count > 0 else { return 0 }
        guard let context else { return 0 }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        return body(&exchange.answer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func set(_ option: CURLoption, _ value: Int) throws {
        try check(tributary_curl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws {
        guard !value.utf8.contains(0) else { throw TransportError("the request contains a zero byte") }
        try check(tributary_curl_set_string(handle, option, value))
    }

    private func check(_ code: CURLcode) throws {
        guard code == CURLE_OK else { throw TransportError(String(cString: curl_easy_strerror(code))) }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
#endif
