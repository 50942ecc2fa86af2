#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's random numbers, fetched for several ids at once.
///
/// On Linux each number of `SystemRandomNumberGenerator` is a system call, and an id needs two numbers: about half a
/// microsecond of each call of `track`. Apple's systems have such a pool themselves.
final class RandomPool: Sendable {
    static let shared = RandomPool()

    #if os(Linux)
    private struct State {
        var numbers: [UInt64] = []
        /// How often this process and its ancestors had been forked when the pool was filled. A forked process must not
        /// use the numbers of its parent.
        var forks = 0
    }

    /// Only changed in a process that was just forked, while it has one thread.
    nonisolated(unsafe) private static var forks = 0
    /// Asking for the number of the process would be a system call for each id.
    private static let noticesForks = pthread_atfork(nil, nil, { forks += 1 }) == 0

    /// As many numbers as the system returns at once.
    private static let size = 256 / MemoryLayout<UInt64>.size

    private let state = LockBox(State())

    /// Two new random numbers.
    func pair() -> (UInt64, UInt64) {
        state.withLock { state in
            if state.numbers.count < 2 || state.forks != Self.forks {
                state.forks = Self.forks
                guard Self.noticesForks, Self.fill(&state.numbers) else { return Self.systemPair() }
            }
            return (state.numbers.removeLast(), state.numbers.removeLast())
        }
    }

    private static func fill(_ numbers: inout [UInt64]) -> Bool {
        numbers.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: repeatElement(0, count: size))
        let isFilled = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) == 0 }
        if !isFilled { numbers.removeAll(keepingCapacity: true) }
        return isFilled
    }
    #else
    func pair() -> (UInt64, UInt64) { Self.systemPair() }
    #endif

    private static func systemPair() -> (UInt64, UInt64) {
        var system = SystemRandomNumberGenerator()
        return (system.next(), system.next())
    }
}
