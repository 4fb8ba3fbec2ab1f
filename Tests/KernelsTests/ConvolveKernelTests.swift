import CIntrinsics
import Kernels
import TensorCore
import TestSupport
import Testing

/// Convolutions of images as they lie against products of gathered patches, bit for bit, on every instruction set.
@Suite struct ConvolveKernelTests {
  /// Windows that hang over the image on any side, by more than a whole tile too.
  private struct Shape: CustomStringConvertible {
    let channels, height, width, outputHeight, outputWidth, columns: Int
    let kernelHeight, kernelWidth, strideY, strideX, dilationY, dilationX, padTop, padLeft: Int
    var depth: Int { kernelHeight * kernelWidth * channels }
    var description: String {
      "\(height)x\(width)x\(channels) -> \(outputHeight)x\(outputWidth)x\(columns), window "
        + "\(kernelHeight)x\(kernelWidth) stride \(strideY),\(strideX) dilation \(dilationY),\(dilationX) "
        + "padding \(padTop),\(padLeft)"
    }

    init(_ random: inout SeededRandom) {
      func one(_ values: [Int]) -> Int { values.randomElement(using: &random) ?? 1 }
      channels = one([1, 2, 3, 4, 17])
      columns = one([1, 15, 16, 17, 32, 33, 70])
      (kernelHeight, kernelWidth) = (one([1, 2, 3, 5]), one([1, 2, 3, 5, 7]))
      (strideY, strideX) = (one([1, 1, 2, 3]), one([1, 1, 2, 3]))
      (dilationY, dilationX) = (one([1, 1, 2]), one([1, 1, 1, 2, 3]))
      (padTop, padLeft) = (one([0, 1, 2, 4]), one([0, 1, 1, 2, 3, 9]))
      (height, width) = (one(Array(1...9)), one(Array(1...24)))
      outputHeight = one(Array(1...5))
      // Any width: what lies right of the image is padding too.
      outputWidth = one(Array(1...30))
    }
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func sumsAreThoseOfPatches(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for round in 0..<600 {
      let shape = Shape(&random)
      let elements = shape.height * shape.width * shape.channels
      let image = random.floats(elements)
      let residual = random.floats(shape.outputHeight * shape.outputWidth * shape.columns)
      let weights = random.floats(shape.columns * shape.depth)
      let tensor = try Tensor(weights, shape: .vector(weights.count))
      let bias = random.floats(shape.columns)
      let product = try tensor.withBytes { (bytes) throws(ApusError) in
        try MatrixProduct(
          .float32, of: bytes, .float32, groups: 1, columns: shape.columns, depth: shape.depth, bias: bias,
          low: round % 2 == 0 ? -1 : -.infinity, high: round % 2 == 0 ? 2 : .infinity, kernels: kernels)
      }
      let guarded = try #require(GuardedBytes(image.withUnsafeBytes { Array($0) }))
      let added = round % 3 == 0 ? residual : nil
      let found = convolve(shape, product, kernels, UnsafeRawPointer(guarded.start), added)
      let wanted = multiplyPatches(shape, product, image, added)
      #expect(
        found.map(\.bitPattern) == wanted.map(\.bitPattern),
        "\(name): \(shape), round \(round) of seed \(random.seed)")
    }
  }

  private func convolve(
    _ shape: Shape, _ product: MatrixProduct, _ kernels: KernelSet, _ image: UnsafeRawPointer,
    _ residual: [Float]?
  ) -> [Float] {
    let count = shape.outputHeight * shape.outputWidth * shape.columns
    return [Float](unsafeUninitializedCapacity: count) { result, initialized in
      withOptional(residual) { residual in
        guard let base = result.baseAddress else { return }
        let matrix = product.matrices[0]
        var convolution = ApusConvolution(
          input: image, channels: shape.channels, inputHeight: shape.height, inputWidth: shape.width,
          outputWidth: shape.outputWidth, firstRow: 0, endRow: shape.outputHeight / 2,
          kernelHeight: shape.kernelHeight, kernelWidth: shape.kernelWidth, strideY: shape.strideY,
          strideX: shape.strideX, dilationY: shape.dilationY, dilationX: shape.dilationX,
          padTop: shape.padTop, padLeft: shape.padLeft, panels: matrix.panels,
          panelStride: matrix.panelStride, columns: shape.columns, c: base, cStride: shape.columns * 4,
          residual: residual, low: product.sums.low, high: product.sums.high,
          activation: product.sums.activation)
        kernels.float.convolve(&convolution)
        (convolution.firstRow, convolution.endRow) = (convolution.endRow, shape.outputHeight)
        kernels.float.convolve(&convolution)
      }
      initialized = count
    }
  }

  private func multiplyPatches(
    _ shape: Shape, _ product: MatrixProduct, _ image: [Float], _ residual: [Float]?
  ) -> [Float] {
    let pixels = shape.outputHeight * shape.outputWidth
    // Gathering may read past the image, and write past a patch.
    let image = image + [Float](repeating: 0, count: 32)
    let padding = [Float](repeating: 0, count: shape.channels + 32)
    var patches = [Float](repeating: 0, count: pixels * shape.depth + 32)
    return [Float](unsafeUninitializedCapacity: pixels * shape.columns) { result, initialized in
      image.withUnsafeBytes { image in
        padding.withUnsafeBytes { padding in
          patches.withUnsafeMutableBytes { patches in
            withOptional(residual) { residual in
              guard let input = image.baseAddress, let padding = padding.baseAddress,
                let patches = patches.baseAddress, let base = result.baseAddress
              else { return }
              var gathering = ApusPatches(
                input: input, padding: padding, patches: patches, patchStride: shape.depth * 4,
                pixelBytes: shape.channels * 4, pixelStride: shape.channels * 4, inputHeight: shape.height,
                inputWidth: shape.width, outputWidth: shape.outputWidth, firstPixel: 0, pixelCount: pixels,
                kernelHeight: shape.kernelHeight, kernelWidth: shape.kernelWidth, strideY: shape.strideY,
                strideX: shape.strideX, dilationY: shape.dilationY, dilationX: shape.dilationX,
                padTop: shape.padTop, padLeft: shape.padLeft)
              product.gatherPatches(&gathering)
              var rows = MatrixProduct.Rows(
                count: pixels, address: UnsafeRawPointer(patches), stride: shape.depth * 4,
                result: UnsafeMutableRawPointer(base), resultStride: shape.columns * 4)
              rows.residual = residual
              product.multiply(rows, threads: 1)
            }
          }
        }
      }
      initialized = pixels * shape.columns
    }
  }

  private func withOptional(_ numbers: [Float]?, _ body: (UnsafePointer<Float>?) -> Void) {
    guard let numbers else { return body(nil) }
    numbers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
