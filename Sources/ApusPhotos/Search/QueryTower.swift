import Apus
import Synchronization
import TensorCore

/// A model for parts of queries, opened by the first who asks.
final class QueryTower<Model: InferenceModel>: Sendable {
  /// Held while the model is opened, which others who ask wait for.
  private let model = Mutex<Model?>(nil)
  /// Beside the model, as nobody who reads them is to wait for one that is being opened.
  private let noted = Mutex<[String]>([])

  /// What people should know of the model; nothing until it is open.
  var notes: [String] { noted.withLock { $0 } }

  /// The model.
  /// - Throws: what `open` throws; the next who asks tries anew.
  func opened(_ open: () throws(ApusError) -> Model) throws(ApusError) -> Model {
    try model.withLock { model throws(ApusError) in
      if let model { return model }
      let opened = try open()
      let notes = opened.notes
      noted.withLock { $0 = notes }
      model = opened
      return opened
    }
  }
}
