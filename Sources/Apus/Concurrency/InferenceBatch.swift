import TensorCore

/// The results for a sequence of inputs, in their order, several being worked on at a time.
///
/// Inputs are taken from the sequence as they are needed, and nothing is done before the first result is asked
/// for. An input that fails gives its error as its result and does not stop the others. When the consuming
/// task is cancelled, or stops asking, the work in progress is cancelled.
public struct InferenceBatch<Inputs: Sequence, Output: Sendable>: AsyncSequence
where Inputs.Element: Sendable {
  /// One input's outcome.
  public typealias Element = InferenceOutcome<Inputs.Element, Output>

  let inputs: Inputs
  let width: Int?
  let work: @Sendable (Inputs.Element) async throws(ApusError) -> Output

  /// - Parameters:
  ///   - width: how many inputs are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  ///   - work: what makes an output of an input.
  package init(
    _ inputs: Inputs, width: Int?,
    work: @escaping @Sendable (Inputs.Element) async throws(ApusError) -> Output
  ) {
    self.inputs = inputs
    self.width = width
    self.work = work
  }

  /// Begins with the first input.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      inputs: inputs.makeIterator(), tasks: TaskLine(work: work), width: BatchWidth.count(width))
  }

  /// Gives the outcomes one by one, and works ahead.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var inputs: Inputs.Iterator
    let tasks: TaskLine<Inputs.Element, Output>
    let width: Int

    /// The next input's outcome; nil after the last, or when the task is cancelled.
    public mutating func next() async -> Element? {
      while tasks.count < width, let input = inputs.next() { tasks.start(input) }
      return await tasks.finishFirst()
    }
  }
}
