/// One line of a series.
struct PrometheusSample: Sendable, Equatable {
    var suffix = ""
    var labels: [PrometheusFactory.Label] = []
    let value: Double
}
