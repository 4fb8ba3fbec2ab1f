import NIOCore
import ServiceLifecycle

/// What a server does beside its requests: closes connections whose bodies come too slowly, and says when it is about to
/// stop.
struct Housekeeping: Service {
  let state: ServerState

  func run() async throws {
    let limit = TimeAmount.nanoseconds(Int64(clamping: Int(state.options.bodyTime / .nanoseconds(1))))
    await withGracefulShutdownHandler {
      while (try? await Task.sleep(for: .seconds(1))) != nil, !state.isDraining {
        state.connections.closeSlow(limit)
      }
    } onGracefulShutdown: {
      state.isDraining = true
    }
  }
}
