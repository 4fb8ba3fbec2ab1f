import CIntrinsics
import Kernels
import TensorCore

/// A convolution with any window: the patches under a block of output pixels are gathered into a small
/// matrix, which is multiplied while it is in the cache.
struct PatchConvolution: Sendable {
  let geometry: ConvolutionGeometry
  let product: MatrixProduct
  /// What lies around the image: 0, or the zero point of quantized bytes.
  let paddingByte: UInt8
  var hasResidual = false

  private static let blockTiles = 4
  /// The most rows that are multiplied together.
  var blockRows: Int { product.tileRows * Self.blockTiles }
  private var tiles: Int { (geometry.outputPixels + product.tileRows - 1) / product.tileRows }

  /// Into how many blocks of about as many tiles an image is divided: as many for each thread.
  private func blockCount(threads: Int) -> Int {
    let fewest = (tiles + Self.blockTiles - 1) / Self.blockTiles
    let sharers = max(1, threads)
    return min(tiles, (fewest + sharers - 1) / sharers * sharers)
  }

  private func pixels(ofBlock block: Int, of count: Int) -> Range<Int> {
    let end = min(geometry.outputPixels, tiles * (block + 1) / count * product.tileRows)
    return (tiles * block / count * product.tileRows)..<end
  }

  /// Gathering writes up to 63 bytes past a patch, products read up to 3.
  private var patchStride: Int { (geometry.depth * product.inputBytes + 15) / 16 * 16 }
  private var patchBytes: Int { (blockRows * patchStride + 127) / 64 * 64 }
  private var paddingBytes: Int { (geometry.channelsPerGroup * product.inputBytes + 127) / 64 * 64 }
  private var sumBytes: Int { (blockRows * 4 + 63) / 64 * 64 }
  private var workerBytes: Int {
    (patchBytes + sumBytes + product.scratchByteCount(rows: blockRows, threads: 1) + 63) / 64 * 64
  }

  func scratchByteCount(threads: Int) -> Int { paddingBytes + max(threads, 1) * workerBytes }

  func lowering(threads: Int) -> Lowering {
    let detail = ", \(geometry.vertical.filterSize)x\(geometry.horizontal.filterSize) patches"
    return Lowering(product, detail, scratchByteCount: scratchByteCount(threads: threads)) {
      [self] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      run(
        input, arguments.outputAddress(0), arguments.scratch, threads: arguments.threads,
        images: 0..<geometry.batch, paddingByte: paddingByte,
        residual: hasResidual ? arguments.input(3, as: Float.self).baseAddress : nil)
    }
  }

  /// The scale and the zero point (as an unsigned byte) of every row of a block, for dynamic quantization.
  struct RowParameters {
    let scales: UnsafePointer<Float>
    let zeroPoints: UnsafePointer<Int32>
    /// Whether sums meet the scale of their column before that of their row.
    let columnsFirst: Bool
  }

  func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer,
    threads: Int, images: Range<Int>, paddingByte: UInt8, parameters: RowParameters? = nil,
    residual: UnsafePointer<Float>? = nil
  ) {
    scratch.initializeMemory(as: UInt8.self, repeating: paddingByte, count: paddingBytes)
    let g = geometry
    let blocks = blockCount(threads: threads)
    let products = [g.outputPixels, g.depth, g.outputChannels].saturatingProduct
    let work = products / product.multiplyAccumulatesPerNanosecond
    for image in images {
      let source = input + image * g.inputHeight * g.inputWidth * g.inputChannels * product.inputBytes
      let imageElements = image * g.outputPixels * g.outputChannels
      let target = output + imageElements * product.outputBytes
      let residual = residual.map { $0 + imageElements }
      ThreadPool.shared.parallel(count: blocks, nanosecondsPerItem: work / max(1, blocks), threads: threads) {
        range, worker in
        let memory = scratch + paddingBytes + worker * workerBytes
        for block in range {
          for group in 0..<g.groups {
            multiply(
              source, target, pixels: pixels(ofBlock: block, of: blocks), group: group,
              padding: scratch, memory: memory, parameters: parameters, residual: residual)
          }
        }
      }
    }
  }

  private func multiply(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, pixels: Range<Int>, group: Int,
    padding: UnsafeRawPointer, memory: UnsafeMutableRawPointer, parameters: RowParameters?,
    residual: UnsafePointer<Float>?
  ) {
    let g = geometry
    let pixelBytes = g.channelsPerGroup * product.inputBytes
    var patches = ApusPatches(
      input: source + group * pixelBytes, padding: padding, patches: memory, patchStride: patchStride,
      pixelBytes: pixelBytes, pixelStride: g.inputChannels * product.inputBytes, inputHeight: g.inputHeight,
      inputWidth: g.inputWidth, outputWidth: g.outputWidth, firstPixel: pixels.lowerBound,
      pixelCount: pixels.count, kernelHeight: g.vertical.filterSize, kernelWidth: g.horizontal.filterSize,
      strideY: g.vertical.stride, strideX: g.horizontal.stride, dilationY: g.vertical.dilation,
      dilationX: g.horizontal.dilation, padTop: g.vertical.padBefore, padLeft: g.horizontal.padBefore)
    product.gatherPatches(&patches)
    let first = pixels.lowerBound * g.outputChannels + group * g.filtersPerGroup
    var rows = MatrixProduct.Rows(
      count: pixels.count, address: UnsafeRawPointer(memory), stride: patchStride,
      result: target + first * product.outputBytes,
      resultStride: g.outputChannels * product.outputBytes)
    rows.sums = (memory + patchBytes).assumingMemoryBound(to: Int32.self)
    rows.scratch = memory + (patchBytes + sumBytes)
    rows.residual = residual.map { $0 + first }
    rows.scales = parameters?.scales
    rows.zeroPoints = parameters?.zeroPoints
    rows.scalesColumnsFirst = parameters?.columnsFirst ?? false
    product.multiply(group: group, rows, threads: 1)
  }
}
