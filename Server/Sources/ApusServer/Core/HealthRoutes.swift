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
      let waiting = state.models.models.map { model -> String in
        let (tokens, pixels, bytes) = model.waiting
        let name = model.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          .replacing("\n", with: "\\n")
        return """
          apus_waiting{model="\(name)",unit="tokens"} \(tokens)
          apus_waiting{model="\(name)",unit="pixels"} \(pixels)
          apus_waiting{model="\(name)",unit="bytes"} \(bytes)

          """
      }
      let head = """
        # HELP apus_waiting What waits to be worked on.
        # TYPE apus_waiting gauge

        """
      let connections = """
        # HELP apus_connections Connections that are open.
        # TYPE apus_connections gauge
        apus_connections \(state.connections.count)

        """
      return Response.text(
        state.models.monitor.prometheus + state.counts.prometheus + connections + head
          + waiting.joined())
    }
    for path in ["/health", "/health/live", "/health/ready", "/metrics"] {
      router.refuseMethods(but: [.get], at: path)
    }
  }
}
