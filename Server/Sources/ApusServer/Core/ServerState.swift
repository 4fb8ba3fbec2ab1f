import ApusServing
import Synchronization

/// What all routes of a server share.
public final class ServerState: Sendable {
  /// The models.
  public let models: ModelServer
  /// What the server was told.
  public let options: ServerOptions
  /// The photographs that can be searched; nil for none.
  public let photos: PhotoLibrary?
  let bodies: BodyBudget
  let connections = Connections()
  let counts = RequestCounts()
  private let draining = Atomic<Bool>(false)

  /// - Parameter photos: the photographs that can be searched; nil for none.
  public init(_ models: ModelServer, _ options: ServerOptions, photos: PhotoLibrary? = nil) {
    (self.models, self.options, self.photos) = (models, options, photos)
    bodies = BodyBudget(options.bodyBytesInAll)
  }

  /// Whether the server is about to stop.
  var isDraining: Bool {
    get { draining.load(ordering: .relaxed) }
    set { draining.store(newValue, ordering: .relaxed) }
  }

  /// Whether every model that shall answer does.
  public var isReady: Bool {
    !isDraining
      && models.models.allSatisfy { model in
        switch model.state {
        case .ready, .withdrawn: true
        case .unloaded: !options.loadsModels || model.wasLoaded
        case .loading, .failed: false
        }
      }
  }
}
