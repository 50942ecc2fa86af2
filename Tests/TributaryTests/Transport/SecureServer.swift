#if canImport(CTributaryCurl)
import Foundation
import TestSupport

/// A server in a process of its own, with a certificate that nobody has signed but itself. It answers a POST with its body, or
/// slowly with bytes that mean nothing.
final class SecureServer {
    struct Failure: Error {}

    private static let program = """
        import http.server, os, ssl, sys, threading
        slow = len(sys.argv) > 3
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def answer(self, body):
                body = b"x" * 100_000 if slow else body
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if not slow: return self.wfile.write(body)
                for byte in body: self.wfile.write(bytes([byte]))
            def do_GET(self): self.answer(b"")
            def do_POST(self): self.answer(self.rfile.read(int(self.headers["Content-Length"])))
            def log_message(self, *arguments): pass
        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, *arguments): pass
        server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        # The handshake belongs to the connection's own thread: nobody waits for one that another client has left.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        # It ends with whoever started it.
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    let certificate: String
    let url: URL
    /// The server's host in the form of a configuration.
    let host: String
    private let folder: TemporaryFolder
    private let process = Process()
    private let input = Pipe()

    /// - Parameters:
    ///   - name: whom the certificate is for.
    ///   - isSlow: whether its answers come byte by byte.
    init(for name: String, isSlow: Bool = false) throws {
        folder = try TemporaryFolder()
        let (key, certificate) = (folder.url.path + "/key.pem", folder.url.path + "/certificate.pem")
        self.certificate = certificate
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        maker.arguments =
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
            ]
            + ["-keyout", key, "-out", certificate, "-subj", "/CN=test", "-addext", "subjectAltName=\(name)"]
        maker.standardError = FileHandle.nullDevice
        try maker.start()
        maker.waitUntilExit()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, certificate, key] + (isSlow ? ["slow"] : [])
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.start()
        var port = ""
        while !port.hasSuffix("\n") {
            let more = output.fileHandleForReading.readData(ofLength: 1)
            guard !more.isEmpty else { throw Failure() }
            port += String(decoding: more, as: UTF8.self)
        }
        host = "https://127.0.0.1:\(port.dropLast())/v1"
        guard let url = URL(string: "\(host)/b") else { throw Failure() }
        self.url = url
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }
}
#endif
