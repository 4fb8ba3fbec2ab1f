import Graph
import TensorCore

/// A network from pictures to rows of numbers: class logits, or embeddings.
package protocol ImageTower: Sendable {
  /// The extent of the pictures it takes.
  var imageSize: ImageSize { get }
  /// Whether the weights fit pictures of any extent, so that who prepares them decides.
  var takesAnyImageSize: Bool { get }
  /// Numbers of one pixel: 3 for red, green and blue.
  var channels: Int { get }
  /// Numbers of one row of the result.
  var outputWidth: Int { get }
  /// What callers know the result by; nil for the name that the graph has.
  var outputName: TowerOutput? { get }

  /// The network for `batch` pictures: input `pixel_values`, float32 [batch, height, width, channels],
  /// normalised as the model's preprocessor says; output float32 [batch, ``outputWidth``].
  func graph(batch: Int) throws(ApusError) -> Graph
}

extension ImageTower {
  package var outputName: TowerOutput? { .logits }
  package var takesAnyImageSize: Bool { false }
}
