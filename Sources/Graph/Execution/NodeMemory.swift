import TensorCore

/// The tables of addresses and element counts that one node's body reads, made once and used by every run.
final class NodeMemory {
  private let inputs: UnsafeMutableBufferPointer<UnsafeRawPointer?>
  private let outputs: UnsafeMutableBufferPointer<UnsafeMutableRawPointer>
  private let inputCounts: UnsafeMutableBufferPointer<Int>
  private let outputCounts: UnsafeMutableBufferPointer<Int>
  private let leading: UnsafeMutableBufferPointer<Int>
  private let scratch: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - inputs: addresses of the operands; nil where one is left out.
  ///   - scratch: working memory of as many bytes as the node's lowering asks for.
  init(
    inputs: [UnsafeRawPointer?], inputCounts: [Int], outputs: [UnsafeMutableRawPointer], outputCounts: [Int],
    scratch: UnsafeMutableRawPointer
  ) {
    self.inputs = Self.table(inputs)
    self.outputs = Self.table(outputs)
    self.inputCounts = Self.table(inputCounts)
    self.outputCounts = Self.table(outputCounts)
    self.leading = Self.table(outputs.map { _ in -1 })
    self.scratch = scratch
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
    inputCounts.deallocate()
    outputCounts.deallocate()
    leading.deallocate()
  }

  /// The leading dimension that the last run found for result `index`; nil when the shape says it.
  func leadingDimension(_ index: Int) -> Int? { leading[index] >= 0 ? leading[index] : nil }

  func run(_ body: Lowering.Body, threads: Int) throws(ApusError) {
    // One element is allocated even for an empty table, so the base addresses exist.
    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress,
      let inputCounts = inputCounts.baseAddress, let outputCounts = outputCounts.baseAddress,
      let leading = leading.baseAddress
    else { return }
    try body(
      KernelArguments(
        inputs: inputs, outputs: outputs, inputCounts: inputCounts, outputCounts: outputCounts,
        leadingDimensions: leading, scratch: scratch, threads: threads))
  }

  private static func table<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let table = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = table.initialize(from: elements)
    return table
  }
}
