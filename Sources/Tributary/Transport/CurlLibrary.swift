#if canImport(CCurl)
import CCurl
import Foundation

/// libcurl with the TLS library below it, as far as a process sets them up and ends them once.
///
/// `exit` has OpenSSL free what its connections use, while the threads of requests still run. So OpenSSL is asked to leave that
/// to the system; where another part of the program has set it up before, the threads are stopped before its clean-up.
enum CurlLibrary {
    /// What every use of libcurl but waiting goes through.
    static let gate = ExitGate()

    /// Whether the end of the process closes the gate. Asked for before the thread of requests begins, so that its first work
    /// is covered; what another part of the program has set up before is taken apart behind it.
    static let isGuarded = closeAtExit()

    /// Whether the library could be set up.
    static let isReady: Bool = {
        keepTLS()
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        // Once more behind the set-up, because the last to register is the first to be called.
        return closeAtExit()
    }()

    private static func closeAtExit() -> Bool { atexit { CurlLibrary.gate.close(within: Limits.exitSeconds) } == 0 }

    /// Sets OpenSSL up without its clean-up at the end of the process. Looked for by its name, because libcurl may stand on
    /// another library.
    private static func keepTLS() {
        guard let address = dlsym(nil, "OPENSSL_init_crypto") else { return }
        typealias SetUp = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
        let withoutCleanUp: UInt64 = 0x0008_0000
        _ = unsafeBitCast(address, to: SetUp.self)(withoutCleanUp, nil)
    }
}
#endif
