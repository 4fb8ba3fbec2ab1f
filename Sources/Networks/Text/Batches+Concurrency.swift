import Kernels
import TensorCore

extension Batches where Content: Sendable {
  /// The results of `body` for each batch, with one batch on each thread: threads then do not wait for one another at every
  /// node, as they do within a batch. The remaining batches, fewer than threads, come last, one at a time, so that `body`
  /// may use all threads for each.
  /// - Throws: what `body` throws for one of the batches; the others are then left out as far as they have not begun.
  package func concurrentMap<Result: Sendable>(
    threads: Int, _ body: (Content) throws(ApusError) -> Result
  ) throws(ApusError) -> Batches<Result> {
    let together = count - count % max(1, threads)
    let contents = contents
    let results = Lock<[Result?]>(Array(repeating: nil, count: count))
    let failure = Lock<ApusError?>(nil)
    func run(_ number: Int) {
      guard failure.withLock({ $0 == nil }) else { return }
      do throws(ApusError) {
        let result = try body(contents[number])
        results.withLock { $0[number] = result }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    ThreadPool.shared.parallel(count: together, grain: 1, threads: threads, makesWay: true) { range, _ in
      range.forEach(run)
    }
    (together..<count).forEach(run)
    if let failure = failure.withLock(\.self) { throw failure }
    return replacing(results.withLock { $0.compactMap(\.self) })
  }
}
