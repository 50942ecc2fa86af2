import Dispatch
import ServiceLifecycle
import WorkspaceCore

/// Looks again and again whether the database of countries was replaced.
struct CountryWatch: Service {
    let countries: CountryBook
    let pause: Duration
    /// Reading and checking a large file takes a second, in which other work goes on.
    private let line = DispatchQueue(label: "tributary.countries", qos: .utility)

    init(countries: CountryBook, pause: Duration) { (self.countries, self.pause) = (countries, pause) }

    func run() async {
        await cancelWhenGracefulShutdown {
            while await pause.wait() {
                await withCheckedContinuation { next in
                    line.async {
                        countries.look()
                        next.resume()
                    }
                }
            }
        }
    }
}
