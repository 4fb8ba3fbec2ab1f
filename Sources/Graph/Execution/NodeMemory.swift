import TensorCore

/// The tables of addresses and element counts that one node's body reads, made once and used by every run.
final class NodeMemory {
  // One block holds them all: they are made for each batch of texts of another size.
  private let block: UnsafeMutableRawPointer
  private let inputs: UnsafePointer<UnsafeRawPointer?>
  private let outputs: UnsafePointer<UnsafeMutableRawPointer>
  private let inputCounts: UnsafePointer<Int>
  private let outputCounts: UnsafePointer<Int>
  private let leading: UnsafeMutablePointer<Int>
  private let scratch: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - input: the address of an operand, nil where it is left out, and its elements.
  ///   - output: the address of a result, and its elements.
  ///   - scratch: working memory of as many bytes as the node's lowering asks for.
  init(
    inputs inputTotal: Int, outputs outputTotal: Int, scratch: UnsafeMutableRawPointer,
    input: (Int) -> (address: UnsafeRawPointer?, count: Int),
    output: (Int) -> (address: UnsafeMutableRawPointer, count: Int)
  ) {
    let block = Self.block(inputs: inputTotal, outputs: outputTotal)
    var end = block
    func table<Element>(_ count: Int, _ element: (Int) -> Element) -> UnsafeMutablePointer<Element> {
      let table = end.bindMemory(to: Element.self, capacity: count)
      for index in 0..<count { (table + index).initialize(to: element(index)) }
      end += count * MemoryLayout<Element>.stride
      return table
    }
    inputs = UnsafePointer(table(inputTotal) { input($0).address })
    inputCounts = UnsafePointer(table(inputTotal) { input($0).count })
    outputs = UnsafePointer(table(outputTotal) { output($0).address })
    outputCounts = UnsafePointer(table(outputTotal) { output($0).count })
    leading = table(outputTotal) { _ in -1 }
    self.block = block
    self.scratch = scratch
  }

  // Addresses and counts need no deinitialization.
  deinit { block.deallocate() }

  /// Room for two tables of operands and three of results.
  private static func block(inputs: Int, outputs: Int) -> UnsafeMutableRawPointer {
    let (address, count) = (MemoryLayout<UnsafeRawPointer?>.stride, MemoryLayout<Int>.stride)
    return .allocate(
      byteCount: max(1, inputs * (address + count) + outputs * (address + 2 * count)),
      alignment: max(MemoryLayout<UnsafeRawPointer?>.alignment, MemoryLayout<Int>.alignment))
  }

  /// The leading dimension that the last run found for result `index`; nil when the shape says it.
  func leadingDimension(_ index: Int) -> Int? { leading[index] >= 0 ? leading[index] : nil }

  func run(_ body: Lowering.Body, threads: Int) throws(ApusError) {
    try body(
      KernelArguments(
        inputs: inputs, outputs: outputs, inputCounts: inputCounts, outputCounts: outputCounts,
        leadingDimensions: leading, scratch: scratch, threads: threads))
  }
}
