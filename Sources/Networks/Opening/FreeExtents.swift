import Models
import TensorCore

/// Extents for the axes that a file leaves open, so that its network can be described before a caller gives any: 1 each if
/// the network can be made so, else sizes that pictures and texts usually have.
struct FreeExtents {
  private let inputs: [ImportedPort]

  init(_ inputs: [ImportedPort]) { self.inputs = inputs }

  /// Sides of pictures, and lengths of everything else.
  private static let choices: [(side: Int, length: Int)] = [
    (224, 16), (256, 64), (64, 8), (32, 32), (512, 128), (640, 256), (384, 512), (1024, 1024), (16, 4),
    (8, 2),
  ]

  /// Shapes to be tried one after the other, by the input's position: first with one picture or text, then with axes 0 of the
  /// same extent as the others.
  var shapes: [[Int: Shape]] {
    guard inputs.contains(where: { !$0.freeAxes.isEmpty }) else { return [] }
    return [true, false].flatMap { keepsFirst in
      Self.choices.compactMap { shapes(of: $0, keepsFirst: keepsFirst) }
    }
  }

  /// Nil for more elements than can be.
  private func shapes(of choice: (side: Int, length: Int), keepsFirst: Bool) -> [Int: Shape]? {
    var shapes: [Int: Shape] = [:]
    for (position, input) in inputs.enumerated() where !input.freeAxes.isEmpty {
      var extents = input.type.shape.dimensions
      for axis in input.freeAxes where axis > 0 || !keepsFirst {
        extents[axis] = extents.count == 4 ? choice.side : choice.length
      }
      guard let shape = try? Shape(extents) else { return nil }
      shapes[position] = shape
    }
    return shapes
  }
}
