import ServiceLifecycle

/// Services that are told to stop all at once: a group stops those that it has one after the other, and waits for each.
struct SimultaneousServices: Service {
  /// The group has ended when they have. One that ends without being told to takes the others with it.
  let services: [any Service]
  /// What goes on beside them, for which nobody waits.
  let helpers: [any Service]
  /// Called before any of the services is told.
  let whenStopping: @Sendable () -> Void

  func run() async throws {
    let helping = helpers.map { helper in Task { try await helper.run() } }
    defer { for task in helping { task.cancel() } }
    do {
      try await withGracefulShutdownHandler {
        try await runServices()
      } onGracefulShutdown: {
        whenStopping()
      }
    } catch  where Task.isCancelled {
      // What is cut short has its reason already.
    }
  }

  private func runServices() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for service in services { group.addTask { try await service.run() } }
      for try await _ in group where !Task.isShuttingDownGracefully { group.cancelAll() }
    }
  }
}
