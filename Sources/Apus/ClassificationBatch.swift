import Kernels
import TensorCore

/// The results for a sequence of pictures, in their order. Made by
/// ``ImageClassifier/classifications(of:topK:width:)``.
public struct ClassificationBatch<Pictures: Sequence<Picture>>: AsyncSequence {
  /// One picture's outcome.
  public struct Element: Sendable {
    /// The position among the pictures, from 0.
    public let index: Int
    public let picture: Picture
    public let result: Result<Classification, ApusError>
  }

  let classifier: ImageClassifier
  let pictures: Pictures
  let topK: Int
  let width: Int?

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      pictures: pictures.makeIterator(), work: BatchWork(classifier: classifier, topK: topK),
      width: Swift.max(1, width ?? ThreadPool.shared.size))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var pictures: Pictures.Iterator
    let work: BatchWork
    let width: Int

    /// The next picture's outcome; nil after the last, or when the task is cancelled.
    public mutating func next() async -> Element? {
      while work.count < width, let picture = pictures.next() { work.start(picture) }
      return await work.finishFirst().map { Element(index: $0.index, picture: $0.picture, result: $0.result) }
    }
  }
}

/// The classifications in progress, cancelled when nobody can ask for them any more.
final class BatchWork {
  private struct Item {
    let index: Int
    let picture: Picture
    let task: Task<Result<Classification, ApusError>, Never>
  }

  private let classifier: ImageClassifier
  private let topK: Int
  private var items: [Item] = []
  private var started = 0

  init(classifier: ImageClassifier, topK: Int) {
    self.classifier = classifier
    self.topK = topK
  }

  deinit { cancel() }

  var count: Int { items.count }

  func start(_ picture: Picture) {
    let task = Task { [classifier, topK] () -> Result<Classification, ApusError> in
      do throws(ApusError) {
        return .success(try await classifier.classify(picture, topK: topK))
      } catch {
        return .failure(error)
      }
    }
    items.append(Item(index: started, picture: picture, task: task))
    started += 1
  }

  /// Waits for the oldest; nil when there is none or the calling task is cancelled.
  func finishFirst() async -> (index: Int, picture: Picture, result: Result<Classification, ApusError>)? {
    guard !items.isEmpty else { return nil }
    let first = items.removeFirst()
    let tasks = [first.task] + items.map(\.task)
    let result = await withTaskCancellationHandler {
      await first.task.value
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    return Task.isCancelled ? nil : (first.index, first.picture, result)
  }

  private func cancel() {
    for item in items { item.task.cancel() }
  }
}
