#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The data of the signal handler. It consists of memory and file numbers that exist before the handler is installed.
enum SignalTable {
    /// One more than the highest signal number of Linux.
    static let size: Int32 = 65
    /// Milliseconds that the handler waits for the clients before the program's earlier reaction follows.
    private static let patience: Int32 = 500

    // Written before the first handler is installed, only read afterwards.
    nonisolated(unsafe) private static var questions: (read: Int32, write: Int32) = (-1, -1)
    // Written before the first handler is installed, only read afterwards.
    nonisolated(unsafe) private static var answers: (read: Int32, write: Int32) = (-1, -1)
    // An entry is written before the handler of its signal is installed, and only read afterwards.
    nonisolated(unsafe) private static let earlier = {
        let table = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(size))
        table.initialize(repeating: sigaction(), count: Int(size))
        return table
    }()

    /// Opens the pipes.
    static func open() -> Bool {
        guard let questions = makePipe(), let answers = makePipe() else { return false }
        self.questions = questions
        self.answers = answers
        return true
    }

    private static func makePipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        // The pipe is closed in programs that this one starts.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A full pipe must never block the handler.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// Installs the handler and keeps the earlier one.
    static func take(_ signal: Int32) -> Bool {
        let entry = earlier + Int(signal)
        guard sigaction(signal, nil, entry) == 0 else { return false }
        let isIgnored = entry.pointee.__sigaction_handler.sa_handler.map {
            unsafeBitCast($0, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        }
        guard isIgnored != true else { return false }
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { SignalTable.handle($0, $1, $2) }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        sigemptyset(&action.sa_mask)
        return sigaction(signal, &action, nil) == 0
    }

    /// The handler. It makes only calls that are safe in a handler, and leaves `errno` as it was.
    private static func handle(
        _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        if write(questions.write, &byte, 1) == 1 {
            var wait = pollfd(fd: answers.read, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, patience) == 1 { _ = read(answers.read, &byte, 1) }
        }
        chain(signal, info, context)
        errno = error
    }

    private static func chain(
        _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        let entry = earlier + Int(signal)
        if entry.pointee.sa_flags & SA_SIGINFO != 0 {
            entry.pointee.__sigaction_handler.sa_sigaction?(signal, info, context)
        } else if let handler = entry.pointee.__sigaction_handler.sa_handler {
            handler(signal)
        } else {
            // There was no handler before: restore that, so the system's own reaction follows when this handler
            // returns.
            sigaction(signal, entry, nil)
            raise(signal)
        }
    }

    /// Prevents that a handler runs on the calling thread.
    static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    /// Waits for the next signal. Nil when the pipe is closed.
    static func next() -> Int32? {
        var byte: UInt8 = 0
        while true {
            let count = read(questions.read, &byte, 1)
            if count == 1 { return Int32(byte) }
            guard count == -1, errno == EINTR else { return nil }
        }
    }

    /// Lets the handler continue.
    static func answer(_ signal: Int32) {
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(answers.write, &byte, 1)
    }
}
#endif
