import Graph
import TensorCore
import TestSupport
import Testing

/// Windows of images are those of the definition, element by element.
@Suite struct ImagePatchesTests {
  @Test(arguments: 0..<200)
  func windowsOfRandomImages(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let (groups, perGroup) = (number(1...3), number(1...4))
    let (batch, height, width, channels) = (number(1...2), number(4...8), number(4...8), groups * perGroup)
    let filter = (height: number(1...3), width: number(1...3))
    let pads = (top: number(0...2), bottom: number(0...2), left: number(0...2), right: number(0...2))
    var attributes = ConvolutionAttributes(
      padding: .explicit(top: pads.top, bottom: pads.bottom, left: pads.left, right: pads.right))
    (attributes.strideY, attributes.strideX) = (number(1...2), number(1...3))
    (attributes.dilationY, attributes.dilationX) = (number(1...2), number(1...2))
    let spans = (
      (filter.height - 1) * attributes.dilationY + 1, (filter.width - 1) * attributes.dilationX + 1
    )
    guard spans.0 <= height + pads.top + pads.bottom, spans.1 <= width + pads.left + pads.right else {
      return
    }
    let bytes = (0..<(batch * height * width * channels)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let around = UInt8.random(in: 0...255, using: &random)
    let patches = ImagePatches(
      filterHeight: filter.height, filterWidth: filter.width, groups: groups, attributes)
    var builder = GraphBuilder()
    let image = try Tensor(bytes, shape: [batch, height, width, channels])
    let input = builder.input("image", image.type)
    let element = builder.constant("around", try Tensor(scalar: around))
    builder.output(try builder.add(patches, [input, element], results: [.init("rows")], label: "patches")[0])
    let found = try Compiler.compile(builder.graph).run([image])[0]
    let rows = (height + pads.top + pads.bottom - spans.0) / attributes.strideY + 1
    let columns = (width + pads.left + pads.right - spans.1) / attributes.strideX + 1
    #expect(
      found.shape.dimensions == [batch, groups, rows * columns, filter.height * filter.width * perGroup])
    var expected: [UInt8] = []
    for n in 0..<batch {
      for group in 0..<groups {
        for window in 0..<(rows * columns) {
          for tap in 0..<(filter.height * filter.width) {
            let y =
              window / columns * attributes.strideY - pads.top + tap / filter.width * attributes.dilationY
            let x =
              window % columns * attributes.strideX - pads.left + tap % filter.width * attributes.dilationX
            for channel in 0..<perGroup {
              let isInside = (0..<height).contains(y) && (0..<width).contains(x)
              let place = ((n * height + y) * width + x) * channels + group * perGroup + channel
              expected.append(isInside ? bytes[place] : around)
            }
          }
        }
      }
    }
    #expect(try found.elements(of: UInt8.self) == expected, "seed \(seed)")
  }
}
