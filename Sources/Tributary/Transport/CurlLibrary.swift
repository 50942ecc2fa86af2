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

    /// Whether requests may be made: the end of the process closes the gate before OpenSSL cleans up, if it does.
    ///
    /// Asked for when a transport is made, not when it is first used: `exit` calls the last to register first, so a request
    /// that comes when OpenSSL has cleaned up finds the gate closed. False when that has been before.
    static let isGuarded = keepTLS() && closeAtExit()

    /// Whether the library could be set up.
    static let isReady: Bool = {
        guard isGuarded, curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        // Once more, before the clean-up of what libcurl has set up besides.
        return closeAtExit()
    }()

    /// Frees what OpenSSL keeps for the calling thread, which would else be freed when the thread ends, behind the gate.
    static func endThread() { endTLSThread?() }

    private static let endTLSThread = function("OPENSSL_thread_stop", as: (@convention(c) () -> Void).self)

    /// - Returns: whether it is going to happen; not when the process has nearly ended.
    private static func closeAtExit() -> Bool {
        #if canImport(Glibc)
        on_exit({ status, _ in CurlLibrary.close(status) }, nil) == 0
        #else
        atexit { CurlLibrary.gate.close(within: Limits.exitSeconds) } == 0
        #endif
    }

    #if canImport(Glibc)
    /// A thread that stays in the library would crash in what follows, so then nothing follows.
    private static func close(_ status: Int32) {
        if !gate.close(within: Limits.exitSeconds) { _exit(status) }
    }
    #endif

    /// Sets OpenSSL up without its clean-up at the end of the process. Looked for by its name, because libcurl may stand on
    /// another library.
    /// - Returns: false when it has cleaned up already.
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
