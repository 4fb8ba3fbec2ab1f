import Kernels
import TensorCore

/// The memory of one node during one run.
///
/// The only door from operations to raw memory: an operation asks for its operands by position, and the
/// counts come from the shapes that its own inference has checked.
package struct KernelArguments: ~Copyable {
  let inputs: UnsafePointer<UnsafeRawPointer?>
  let outputs: UnsafePointer<UnsafeMutableRawPointer>
  /// Elements of each operand and result, in the order of the tables above.
  let inputCounts: UnsafePointer<Int>
  let outputCounts: UnsafePointer<Int>
  /// Where a result whose leading dimension depends on the data records it; −1 when it does not.
  let leadingDimensions: UnsafeMutablePointer<Int>
  package let scratch: UnsafeMutableRawPointer
  /// Threads that the run may use.
  package let threads: Int

  /// The elements of operand `index`, which must be there and of that type.
  package func input<Element: BitwiseCopyable>(
    _ index: Int, as: Element.Type = Element.self
  ) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(
      start: inputs[index]?.assumingMemoryBound(to: Element.self), count: inputCounts[index])
  }

  /// The elements of result `index`, uninitialised.
  package func output<Element: BitwiseCopyable>(
    _ index: Int, as: Element.Type = Element.self
  ) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(
      start: outputs[index].assumingMemoryBound(to: Element.self), count: outputCounts[index])
  }

  /// The address of operand `index`; nil when it is left out or not needed at run time.
  package func inputAddress(_ index: Int) -> UnsafeRawPointer? { inputs[index] }
  package func outputAddress(_ index: Int) -> UnsafeMutableRawPointer { outputs[index] }

  /// States that result `index` has only `count` rows (slices along its first axis) this time.
  package func setLeadingDimension(_ index: Int, _ count: Int) { leadingDimensions[index] = count }

  /// Calls `body` for ranges that together cover `0..<count` once, on several threads when that pays.
  /// - Parameter grain: the fewest items worth a chunk of their own. The ranges depend on `count` and
  ///   `grain` alone, never on the number of threads.
  package func parallel(_ count: Int, grain: Int, _ body: (Range<Int>) -> Void) {
    ThreadPool.shared.parallel(count: count, grain: grain, threads: threads) { range, _ in body(range) }
  }
}
