import Dispatch
import Foundation

// The program of scripts/compare: one for each client, with the `Client` of its folder.

/// The calls that are compared. Each client's folder has a `Client` with them.
protocol ComparedClient {
    /// Starts the client. Nothing is configured but the address, such as `127.0.0.1:8000/v1`, which is without TLS.
    init(host: String)
    /// Tracks an event with five properties.
    func track(_ name: String)
    /// Asks the client to send what waits.
    func flush()
}

struct Arguments {
    let job: String
    let host: String
    let rounds: Int
    let calls: Int

    init?(_ words: [String]) {
        guard words.count == 5, let rounds = Int(words[3]), let calls = Int(words[4]) else { return nil }
        (job, host, self.rounds, self.calls) = (words[1], words[2], rounds, calls)
    }
}

func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// Seconds of the processor that this process has used.
func processorSeconds() -> Double {
    var usage = rusage()
    #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The most memory that this process had, in bytes. What the resource usage says on Linux begins with the parent's.
func peakMemory() -> Int {
    #if os(Linux)
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #endif
}

func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Times calls. The driver answers with a line when its server has all events, and then gets what all of that took.
func measureCalls(_ client: any ComparedClient, _ arguments: Arguments) {
    for number in 0..<arguments.calls { client.track("Warm \(number)") }
    // The settings arrive meanwhile, and the client has its files.
    Thread.sleep(forTimeInterval: 2)
    let before = processorSeconds()
    for round in 0..<arguments.rounds {
        var times: [UInt64] = []
        times.reserveCapacity(arguments.calls)
        for number in 0..<arguments.calls {
            let name = "Call \(round * arguments.calls + number)"
            let begin = nanoseconds()
            client.track(name)
            times.append(nanoseconds() - begin)
        }
        times.sort()
        write("round \(times[times.count / 2]) \(times[times.count * 99 / 100])")
    }
    client.flush()
    write("tracked")
    _ = readLine()
    write("whole \(processorSeconds() - before) \(peakMemory())")
    exit(0)
}

/// Tracks a thousand events a second until the process is killed, and writes each name when its call has returned.
func trackUntilKilled(_ client: any ComparedClient) {
    for number in 0..<1_000_000 {
        client.track("Event \(number)")
        write("Event \(number)")
        Thread.sleep(forTimeInterval: 0.001)
    }
}

/// The next process after a death: it tracks one event of its own, and sends what waits until it is killed.
func deliver(_ client: any ComparedClient) {
    client.track("Next")
    while true {
        client.flush()
        Thread.sleep(forTimeInterval: 0.5)
    }
}

func run(_ arguments: Arguments) {
    let client = Client(host: arguments.host)
    switch arguments.job {
    case "calls": measureCalls(client, arguments)
    case "track": trackUntilKilled(client)
    case "deliver": deliver(client)
    default:
        write("there is no job \(arguments.job)")
        exit(64)
    }
}

guard let arguments = Arguments(CommandLine.arguments) else {
    write("usage: PROGRAM calls|track|deliver HOST ROUNDS CALLS")
    exit(64)
}
// Some clients need the main thread, so the work is on another one.
Thread { run(arguments) }.start()
RunLoop.main.run()
