import Apus
import CommandSupport

/// Some of the pictures that a command was given, and how its threads are shared between them.
struct PictureBatch {
  /// An input that stands for no file.
  private struct Failure {
    let path: String
    let error: ApusError
    /// Its place among the files.
    let filesBefore: Int
  }

  private let files: [String]
  private let failures: [Failure]
  let threadsPerRun: Int
  /// Pictures worked on at a time.
  let width: Int

  /// - Parameters:
  ///   - inputs: files, folders and patterns.
  ///   - threads: that there are.
  ///   - threadsPerRun: of the model, where it is open.
  init(_ inputs: [InputGroups.Input], threads: Int, threadsPerRun: Int? = nil) {
    var files: [String] = []
    var failures: [Failure] = []
    for entry in inputs.flatMap(PictureList.expand) {
      switch entry {
      case .file(let path): files.append(path)
      case .failure(let path, let error):
        failures.append(Failure(path: path, error: error, filesBefore: files.count))
      }
    }
    // Many pictures keep all threads busy with one each; few share the threads.
    self.threadsPerRun = threadsPerRun ?? (files.count > threads ? 1 : threads)
    width = max(1, threads / self.threadsPerRun)
    (self.files, self.failures) = (files, failures)
  }

  var total: Int { files.count + failures.count }

  var pictures: some Sequence<Picture> { files.lazy.map(Picture.file) }

  /// Calls `body` with what came of each input, in their order, as soon as it is known.
  /// - Parameter outcomes: the outcomes of ``pictures``, in order.
  func forEach<Output: Sendable>(
    _ outcomes: some AsyncSequence<InferenceOutcome<Picture, Output>, Never>,
    _ body: (PictureOutcome<Output>) throws(ApusError) -> Void
  ) async throws(ApusError) {
    var rest = failures[...]
    // Without this, what stands before a picture would wait for the model.
    try Self.takeFailures(&rest, before: 0, body)
    for await outcome in outcomes {
      try body(PictureOutcome(path: files[outcome.index], isPicture: true, result: outcome.result))
      try Self.takeFailures(&rest, before: outcome.index + 1, body)
    }
  }

  /// Takes those that stand before a file.
  private static func takeFailures<Output>(
    _ rest: inout ArraySlice<Failure>, before file: Int,
    _ body: (PictureOutcome<Output>) throws(ApusError) -> Void
  ) throws(ApusError) {
    while let first = rest.first, first.filesBefore <= file {
      rest.removeFirst()
      try body(PictureOutcome(path: first.path, isPicture: false, result: .failure(first.error)))
    }
  }
}

/// The outcome of a picture, or of an argument without pictures.
struct PictureOutcome<Output> {
  let path: String
  /// Whether it is a picture: not a pattern that nothing matches, nor a folder.
  let isPicture: Bool
  let result: Result<Output, ApusError>
}
