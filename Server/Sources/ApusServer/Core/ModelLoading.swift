import ApusServing
import Logging
import ServiceLifecycle

/// Opens the models of a server, one after the other, while it answers already that it is not ready.
struct ModelLoading: Service {
  let state: ServerState
  let logger: Logger

  func run() async throws {
    guard state.options.loadsModels else { return }
    for model in state.models.models where !state.isDraining {
      do throws(ServingError) {
        try await model.load()
        logger.info("model ready", metadata: ["model": "\(model.name)"])
      } catch {
        logger.error("model not loaded", metadata: ["model": "\(model.name)", "error": "\(error)"])
      }
    }
  }
}
