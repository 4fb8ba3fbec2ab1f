import TensorCore

/// The outcome for one of many inputs.
public struct InferenceOutcome<Input: Sendable, Output: Sendable>: Sendable {
  /// The position among the inputs, from 0.
  public let index: Int
  /// The input.
  public let input: Input
  /// The output, or the error.
  public let result: Result<Output, ApusError>
}

/// The results for a sequence of inputs, in their order, several being worked on at a time.
///
/// Inputs are taken from the sequence as they are needed, and nothing is done before the first result is asked
/// for. An input that fails gives its error as its result and does not stop the others. When the consuming
/// task is cancelled, or stops asking, the work in progress is cancelled.
public typealias InferenceBatch<Inputs: Sequence, Output: Sendable> =
  OrderedSequenceMap<Inputs, InferenceOutcome<Inputs.Element, Output>> where Inputs.Element: Sendable

/// The results for inputs that come by and by, such as the pictures of a camera: in their order, several being worked
/// on at a time, each as soon as it is there.
///
/// Nothing is done before the stream is iterated, and no more inputs are taken than are worked on. An input that
/// fails gives its error as its result; when the inputs themselves fail, so does the stream, after the results of those
/// before. When the consuming task is cancelled, or stops asking, the work in progress is cancelled.
public typealias InferenceStream<Inputs: AsyncSequence & Sendable, Output: Sendable> =
  OrderedMap<Inputs, InferenceOutcome<Inputs.Element, Output>> where Inputs.Element: Sendable

extension InferenceOutcome {
  /// - Parameters:
  ///   - width: how many inputs are worked on at a time; nil for as many as there are processors for them.
  ///   - work: what makes an output of an input.
  package static func batch<Inputs: Sequence<Input>>(
    of inputs: Inputs, width: Int?, _ work: @escaping @Sendable (Input) async throws(ApusError) -> Output
  ) -> InferenceBatch<Inputs, Output> {
    OrderedSequenceMap(inputs, width: width) { await of($0, $1, work) }
  }

  /// The outcomes of inputs that arrive over time.
  package static func stream<Inputs: AsyncSequence & Sendable>(
    of inputs: Inputs, width: Int?, _ work: @escaping @Sendable (Input) async throws(ApusError) -> Output
  ) -> InferenceStream<Inputs, Output> where Inputs.Element == Input {
    OrderedMap(inputs, width: width) { await of($0, $1, work) }
  }

  private static func of(
    _ index: Int, _ input: Input, _ work: (Input) async throws(ApusError) -> Output
  ) async -> Self {
    Self(
      index: index, input: input,
      result: await Result.of { () async throws(ApusError) in try await work(input) })
  }
}
