import ServiceLifecycle

/// Answers over HTTP. Told to stop, it takes no more connections and ends with the last request; cancelled while it stops,
/// it has what is still in work answered that the server is stopping.
struct HTTPListener: Service {
  let state: ServerState
  let application: any Service

  func run() async throws {
    // Not a part of this task: cancelled, it could write nothing more.
    let serving = Task { try await application.run() }
    try await withTaskCancellationHandler {
      try await serving.value
    } onCancel: {
      guard state.isDraining else {
        serving.cancel()
        return
      }
      state.cut()
      Task {
        try? await Task.sleep(for: state.options.lastWords)
        serving.cancel()
      }
    }
  }
}
