import NIOCore
import ServiceLifecycle

/// What a server does beside its requests: closes connections whose bodies come too slowly, until it is cancelled.
struct Housekeeping: Service {
  let state: ServerState

  func run() async throws {
    let limit = TimeAmount(state.options.bodyTime), patience = TimeAmount(state.models.limits.requestTime)
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      state.connections.closeSlow(limit, patience: patience)
    }
  }
}
