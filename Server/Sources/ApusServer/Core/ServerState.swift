import ApusPhotos
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
  /// What searches them, within the limits of models; nil for none.
  let searches: PictureWork<PhotoSearchRequest, [PhotoMatch]>?
  let bodies: BodyBudget
  let connections = Connections()
  let counts = RequestCounts()
  private let draining = Atomic<Bool>(false)
  private let isCut = Atomic<Bool>(false)

  /// - Parameter photos: the photographs that can be searched; nil for none.
  public init(_ models: ModelServer, _ options: ServerOptions, photos: PhotoLibrary? = nil) {
    let bodies = BodyBudget(options.bodyBytesInAll)
    (self.models, self.options, self.photos, self.bodies) = (models, options, photos, bodies)
    searches = photos.map { photos in
      PictureWork<PhotoSearchRequest, [PhotoMatch]>(PhotoLibrary.limits(within: models.limits)) { request in
        try await photos.search(request, within: bodies)
      }
    }
  }

  /// Whether the server is about to stop.
  var isDraining: Bool {
    get { draining.load(ordering: .relaxed) }
    set { draining.store(newValue, ordering: .relaxed) }
  }

  /// Stops what is still in work: the time that it had is over.
  func cut() {
    isCut.store(true, ordering: .releasing)
    connections.stopWork()
  }

  /// Whether the client of the request that the task answers is gone: nothing else stops it but the server itself.
  var isClientGone: Bool { Task.isCancelled && !isCut.load(ordering: .acquiring) }

  /// What an error means for whoever sent the request. Of work that was cut it was the server that left, and no client.
  func reason(of error: any Error) -> ServingError {
    let reason = ServingError(error)
    guard reason.kind == .cancelled, isCut.load(ordering: .acquiring) else { return reason }
    return ServingError(.unavailable, "The server is stopping.")
  }

  /// Whether every model that shall answer does.
  public var isReady: Bool {
    guard !isDraining else { return false }
    let store = models.store.status()
    return models.models.allSatisfy { model in
      switch model.state(in: store) {
      case .ready, .withdrawn: true
      case .unloaded: !options.loadsModels || model.wasLoaded
      case .loading, .failed: false
      }
    }
  }
}
