import ApusService
import Hummingbird

/// Whether the server is well, and what it measures.
struct HealthRoutes {
  let state: ServerState

  func add(to router: Router<ServerContext>) {
    router.get("/health/live") { _, _ in Response.text("live\n") }
    for path in ["/health", "/health/ready"] {
      router.get(RouterPath(path)) { _, _ in
        state.isReady
          ? Response.text("ready\n") : Response.text("not ready\n", status: .serviceUnavailable)
      }
    }
    router.get("/metrics") { _, _ in
      Response.text(state.models.monitor.prometheus + state.counts.prometheus + samples.text)
    }
    for path in ["/health", "/health/live", "/health/ready", "/metrics"] {
      router.refuseMethods(but: [.get], at: path)
    }
  }

  /// What is open, and what waits.
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
    if let searches = state.searches {
      page.begin("apus_search_waiting_pixels", .gauge, "Pixels that searches of photographs wait with.")
      page.add("apus_search_waiting_pixels", [], "\(searches.waitingPixels)")
    }
    return page
  }
}
