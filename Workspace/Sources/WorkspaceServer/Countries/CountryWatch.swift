import ServiceLifecycle
import WorkspaceCore

/// Looks again and again whether the database of countries was replaced.
struct CountryWatch: Service {
    let countries: CountryBook
    let pause: Duration

    func run() async {
        await cancelWhenGracefulShutdown {
            while await pause.wait() { countries.look() }
        }
    }
}
