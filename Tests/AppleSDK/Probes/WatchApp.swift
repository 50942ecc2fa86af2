// An app for watches, as apps write it. `scripts/check-apple watchOS` compiles it with the stubs, and `--sdk` with an SDK of watchOS.
import AnalyticsLive
import SwiftUI
import Tributary
import TributaryCommerce
import TributaryInspector
import WatchKit

typealias Button = SignalButton
typealias NavigationLink = SignalNavigationLink
typealias TextField = SignalTextField
typealias Toggle = SignalToggle
typealias Picker = SignalPicker
typealias Slider = SignalSlider
@available(watchOS 9, *)
typealias Stepper = SignalStepper
typealias List = SignalList
typealias TabView = SignalTabView
typealias ScrollView = SignalScrollView

struct Workout: Identifiable, Hashable {
    let id: Int
    var name = ""
}

@MainActor
final class Tracking {
    static let shared = Tracking()
    let analytics: Analytics
    let inspector: ClientInspector

    private init() {
        let configuration = Configuration(writeKey: "KEY")
            .trackApplicationLifecycleEvents(true)
            .flushAt(10)
            .consent(.pending)
        analytics = Analytics(configuration: configuration)
        inspector = ClientInspector(analytics)
        Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "KEY", useSwiftUIAutoSignal: true))
        analytics.add(plugin: Signals.shared)
        analytics.identify(userId: WKInterfaceDevice.current().name)
    }
}

@main
struct WatchApp: App {
    var body: some Scene {
        WindowGroup { WorkoutsView(workouts: [Workout(id: 1, name: "Run")]) }
    }
}

struct WorkoutsView: View {
    let workouts: [Workout]
    @State private var isOn = false
    @State private var effort = 0.5
    @State private var name = ""
    @State private var page = 0
    var start: () -> Void = {}

    var body: some View {
        TabView(selection: $page) {
            List(workouts) { workout in
                NavigationLink(workout.name) { WorkoutView(workout: workout) }
            }
            ScrollView {
                VStack {
                    TextField("Name", text: $name)
                    Toggle("Outdoors", isOn: $isOn)
                    Slider(value: $effort, in: 0...1, step: 0.1)
                    Button("Start", action: start)
                    Button(action: start) { Text("Again") }
                }
            }
        }
        .trackScreen("Workouts", with: Tracking.shared.analytics)
        .tributaryInspector(Tracking.shared.inspector)
    }
}

struct WorkoutView: View {
    let workout: Workout
    @State private var rounds = 1

    var body: some View {
        VStack {
            if #available(watchOS 9, *) { Stepper("Rounds", value: $rounds, in: 1...10) }
            Button("Done") {
                Tracking.shared.analytics.track(name: "Workout Done", properties: ["rounds": rounds])
                Tracking.shared.analytics.flush()
            }
        }
    }
}
