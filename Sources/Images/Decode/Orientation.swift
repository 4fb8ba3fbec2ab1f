/// How the stored rows and columns lie in the upright picture: the values of the EXIF tag 0x0112.
public enum Orientation: Int, Sendable, Hashable, CaseIterable, Codable {
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  /// Turned by half a turn.
  case halfTurn = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Mirrored along the diagonal from the top left.
  case transposed = 5
  /// To be turned clockwise by a quarter.
  case quarterTurnClockwise = 6
  /// Mirrored along the diagonal from the top right.
  case transversed = 7
  /// To be turned anticlockwise by a quarter.
  case quarterTurnAnticlockwise = 8

  /// Whether rows become columns.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The upright picture.
  package func applied(to image: RGBImage) -> RGBImage {
    guard self != .upright else { return image }
    let width = image.width, height = image.height
    let uprightWidth = swapsSides ? height : width
    let uprightHeight = swapsSides ? width : height
    let walk = walk(width: width, height: height)
    let pixels = [UInt8](unsafeUninitializedCapacity: image.pixels.count) { target, count in
      image.pixels.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        for y in 0..<uprightHeight {
          var read = (walk.start &+ y &* walk.down) &* 3
          var write = y &* uprightWidth &* 3
          for _ in 0..<uprightWidth {
            to[write] = from[read]
            to[write &+ 1] = from[read &+ 1]
            to[write &+ 2] = from[read &+ 2]
            write &+= 3
            read &+= walk.right &* 3
          }
        }
      }
      count = image.pixels.count
    }
    return RGBImage(sound: uprightWidth, uprightHeight, pixels)
  }

  /// The stored pixel that comes first in the upright picture, and the steps in stored pixels that go to
  /// the right and down there.
  private func walk(width: Int, height: Int) -> (start: Int, right: Int, down: Int) {
    let last = width * height - 1
    return switch self {
    case .upright: (0, 1, width)
    case .mirrored: (width - 1, -1, width)
    case .halfTurn: (last, -1, -width)
    case .flipped: (last - (width - 1), 1, -width)
    case .transposed: (0, width, 1)
    case .quarterTurnClockwise: (last - (width - 1), -width, 1)
    case .transversed: (last, -width, -1)
    case .quarterTurnAnticlockwise: (width - 1, width, -1)
    }
  }
}
