import Apus
import ApusService
import ApusServing
import Hummingbird

/// Whether the server is well, and what it measures.
struct HealthRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.server

  var endpoints: [Endpoint] {
    [
      .get("/health/live", "Returns whether the server runs.", "text/plain") { _, _ in .text("live\n") },
      readiness("/health"), readiness("/health/ready"),
      .get("/metrics", "Returns metrics in Prometheus's format.", "text/plain") { _, _ in
        .text(state.models.monitor.prometheus + state.counts.prometheus + samples.text)
      },
    ]
  }

  private func readiness(_ path: String) -> Endpoint {
    var endpoint = Endpoint.get(path, "Returns whether all models are ready.", "text/plain") { _, _ in
      state.isReady ? .text("ready\n") : .text("not ready\n", status: .serviceUnavailable)
    }
    endpoint.unavailableType = "text/plain"
    return endpoint
  }

  /// What is open, what waits, which forms of models answer, and how long these took until they did.
  private var samples: PrometheusText {
    var page = PrometheusText()
    page.begin("apus_connections", .gauge, "Connections that are open.")
    page.add("apus_connections", [], "\(state.connections.count)")
    page.begin("apus_waiting", .gauge, "What waits to be worked on.")
    for model in state.models.models {
      let (tokens, pixels, bytes) = model.waiting
      for (unit, count) in [("tokens", tokens), ("pixels", pixels), ("bytes", bytes)] {
        page.add("apus_waiting", [("model", model.name), ("unit", unit)], "\(count)")
      }
    }
    let store = state.models.store.status()
    let known = state.models.models.map { (name: $0.name, now: $0.status(in: store)) }
    page.begin("apus_model_quality", .gauge, "The form of a model that answers: 2 high, 1 medium, 0 low.")
    for model in known {
      for task in ModelTask.allCases {
        guard let quality = model.now.qualities[task] else { continue }
        page.add(
          "apus_model_quality", [("model", model.name), ("task", task.rawValue)], Self.number(of: quality))
      }
    }
    page.begin(
      "apus_model_load_seconds", .gauge, "Time of the stages until a model answered that was opened.")
    for model in known {
      guard let times = model.now.loadTimes else { continue }
      let stages: [(String, Double?)] = [
        ("open", times.open), ("prepare", times.prepare), ("first_run", times.firstRun),
      ]
      for case (let stage, let milliseconds?) in stages {
        page.add(
          "apus_model_load_seconds", [("model", model.name), ("stage", stage)], "\(milliseconds / 1e3)")
      }
    }
    page.begin("apus_log_lines_dropped_total", .counter, "Lines of the log that there was no room for.")
    page.add("apus_log_lines_dropped_total", [], "\(LogWriter.standardError.droppedCount)")
    if let searches = state.searches {
      page.begin("apus_search_waiting_pixels", .gauge, "Pixels that searches of photographs wait with.")
      page.add("apus_search_waiting_pixels", [], "\(searches.waitingPixels)")
    }
    return page
  }

  private static func number(of quality: ModelQuality) -> String {
    switch quality {
    case .high: "2"
    case .medium: "1"
    case .low: "0"
    }
  }
}
