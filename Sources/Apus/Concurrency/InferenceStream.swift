import TensorCore

/// The results for inputs that come by and by, such as the pictures of a camera: in their order, several being worked
/// on at a time, each as soon as it is there.
///
/// Nothing is done before the stream is iterated, and no more inputs are taken than are worked on. An input that
/// fails gives its error as its result; when the inputs themselves fail, so does the stream, after the results of those
/// before. When the consuming task is cancelled, or stops asking, the work in progress is cancelled.
public struct InferenceStream<Inputs: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence
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
    AsyncIterator(InferenceReader(inputs, width: BatchWidth.count(width), work: work))
  }

  /// Gives the outcomes one by one, and works ahead.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: InferenceReader<Inputs.Element, Output>
    private var outcomes:
      AsyncThrowingStream<InferenceReader<Inputs.Element, Output>.Work, any Error>.Iterator

    init(_ reader: InferenceReader<Inputs.Element, Output>) {
      self.reader = reader
      outcomes = reader.outcomes.makeAsyncIterator()
    }

    /// The next input's outcome; nil after the last, or when the task is cancelled.
    /// - Throws: what the inputs throw.
    public mutating func next() async throws -> Element? {
      guard let work = try await outcomes.next() else { return nil }
      let outcome = await reader.finish(work)
      return Task.isCancelled ? nil : outcome
    }
  }
}
