import Images
import Kernels
import Statistics
import TensorCore

/// Pictures of bytes resized as Pillow does it, on one thread.
enum ResizeCases {
  static let shapes = [
    KernelShape(.resize, 500, 375, 224, 224), KernelShape(.resize, 1920, 1080, 224, 224),
    KernelShape(.resize, 256, 256, 64, 64),
  ]

  static func cases(_ shape: KernelShape) throws(ApusError) -> [KernelCase] {
    let extents = shape.extents
    let target = try PixelSize(width: extents[2], height: extents[3])
    // The limits of a picture hold for this one, too.
    _ = try PixelSize(width: extents[0], height: extents[1])
    return [PillowFilter.bilinear, .bicubic].map { filter in
      KernelCase(
        family: shape.family, shape: shape.description, detail: "pillow-\(filter.rawValue)",
        work: KernelWork(
          .movement, byteCount: 3 * (extents[0] * extents[1] + extents[2] * extents[3]),
          writing: 3 * extents[2] * extents[3])
      ) { () throws(ApusError) in
        var state = SplitMix64(seed: 1)
        let pixels = (0..<(3 * extents[0] * extents[1])).map { _ in UInt8(truncatingIfNeeded: state.next()) }
        let image = try RGBImage(width: extents[0], height: extents[1], pixels: pixels)
        return try FamilyRow.rows(of: .integer).map { (row) throws(ApusError) in
          KernelVariant(name: row.name, set: row.set, isPicked: row.isPicked) { (count) throws(ApusError) in
            for _ in 0..<count {
              _ = PillowResize.resize(
                image, to: target, filter: filter, version: .current, box: SourceBox(image),
                window: PixelWindow(target), kernels: row.kernels)
            }
          }
        }
      }
    }
  }
}
