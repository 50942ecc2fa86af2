#if canImport(CTributaryCurl)
import CTributaryCurl
import Foundation

/// Sets up libcurl and its TLS library once in a process, and ends their use once.
///
/// At `exit`, OpenSSL frees memory that its connections use, while the threads of requests still run. So the client
/// has OpenSSL leave that memory alone. If another part of the program has set OpenSSL up before, the threads are stopped
/// before its clean-up.
enum CurlLibrary {
    /// Every use of libcurl goes through this gate, except waiting.
    static let gate = ExitGate()

    /// Whether requests may be made. If OpenSSL cleans up at the end of the process, the gate is closed before.
    ///
    /// This is evaluated when a transport is made, not at its first use. `exit` calls the last handler first, so a
    /// request after OpenSSL's clean-up finds the gate closed. False when the clean-up has already happened.
    static let isGuarded = keepTLS() && closeAtExit()

    /// Whether libcurl could be set up.
    static let isReady: Bool = {
        guard isGuarded, curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        // Registers again, so that this also comes before the clean-up of what libcurl has set up.
        return closeAtExit()
    }()

    /// Frees memory that OpenSSL keeps for the calling thread. Otherwise that would happen at the end of the thread,
    /// outside of the gate.
    static func endThread() { endTLSThread?() }

    private static let endTLSThread = function("OPENSSL_thread_stop", as: (@convention(c) () -> Void).self)

    /// - Returns: whether the handler is registered; false when the process has nearly ended.
    private static func closeAtExit() -> Bool {
        #if canImport(Glibc)
        on_exit({ status, _ in CurlLibrary.close(status) }, nil) == 0
        #else
        atexit { CurlLibrary.gate.close(within: Limits.exitSeconds) } == 0
        #endif
    }

    #if canImport(Glibc)
    /// A thread that is still in the library would crash in the clean-up that follows, so the process ends here.
    private static func close(_ status: Int32) {
        if !gate.close(within: Limits.exitSeconds) { _exit(status) }
    }
    #endif

    /// Sets up OpenSSL without its clean-up at the end of the process. The function is looked up by name, because
    /// libcurl may use another TLS library.
    /// - Returns: false when OpenSSL has already cleaned up.
    private static func keepTLS() -> Bool {
        typealias SetUp = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
        guard let setUp = function("OPENSSL_init_crypto", as: SetUp.self) else { return true }
        let withoutCleanUp: UInt64 = 0x0008_0000
        return setUp(withoutCleanUp, nil) == 1
    }

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }
}
#endif
