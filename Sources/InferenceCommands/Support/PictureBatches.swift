import Apus
import CommandSupport

/// The pictures of a command: all at once, or in batches for a list that arrives slowly.
final class PictureBatches {
  private var first: PictureBatch?
  private var rest: InputGroups
  /// Why the list broke off before anything of it came.
  private let failure: ApusError?
  private let threads: Int
  private let threadsPerRun: Int

  /// The pictures, and the model that looks at them. One that cannot be used fails before a list is read from standard
  /// input, which may be long in coming.
  /// - Parameter open: opens the model for so many threads of a run.
  static func open<Model>(
    _ arguments: [String], _ list: ListArguments, threads: Threads,
    _ open: (Int) throws(ApusError) -> Model
  ) throws(ApusError) -> (batches: PictureBatches, model: Model) {
    let threads = threads.resolve()
    let early = arguments.contains("-") ? try open(threads) : nil
    let batches = PictureBatches(arguments, list, threads: threads)
    if let early, batches.threadsPerRun == threads { return (batches, early) }
    // While the first is there, the second of a folder finds its weights packed.
    return try withExtendedLifetime(early) { () throws(ApusError) in
      (batches, try open(batches.threadsPerRun))
    }
  }

  private init(_ arguments: [String], _ list: ListArguments, threads: Int) {
    var rest = InputGroups(arguments, list)
    var group: [InputGroups.Input]?
    var failure: ApusError?
    // What else a command has, such as texts, is worked on before it ends.
    do throws(ApusError) { group = try rest.next() } catch { failure = error }
    let first = PictureBatch(group ?? [], threads: threads)
    (self.first, self.rest, self.failure) = (failure == nil ? first : nil, rest, failure)
    (self.threads, threadsPerRun) = (threads, first.threadsPerRun)
  }

  /// The next of them; nil at the end.
  /// - Throws: ``ApusError`` when the list cannot be read on, after what came before.
  func next() throws(ApusError) -> PictureBatch? {
    if let batch = first {
      first = nil
      return batch
    }
    if let failure { throw failure }
    guard let group = try rest.next() else { return nil }
    return PictureBatch(group, threads: threads, threadsPerRun: threadsPerRun)
  }
}
