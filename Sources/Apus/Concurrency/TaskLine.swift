import TensorCore

/// Tasks in the order in which their results are wanted, cancelled when nobody can ask for them any more.
final class TaskLine<Input: Sendable, Output: Sendable> {
  private struct Item {
    let index: Int
    let input: Input
    let task: Task<Result<Output, ApusError>, Never>
  }

  private let work: @Sendable (Input) async throws(ApusError) -> Output
  private var items: [Item] = []
  private var started = 0

  init(work: @escaping @Sendable (Input) async throws(ApusError) -> Output) {
    self.work = work
  }

  deinit {
    for item in items { item.task.cancel() }
  }

  var count: Int { items.count }

  func start(_ input: Input) {
    let task = Task { [work] in await Result.of { () async throws(ApusError) in try await work(input) } }
    items.append(Item(index: started, input: input, task: task))
    started += 1
  }

  /// Waits for the oldest; nil when there is none or the calling task is cancelled.
  func finishFirst() async -> InferenceOutcome<Input, Output>? {
    guard !items.isEmpty else { return nil }
    let first = items.removeFirst()
    let tasks = [first.task] + items.map(\.task)
    let result = await withTaskCancellationHandler {
      await first.task.value
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    return Task.isCancelled ? nil : InferenceOutcome(index: first.index, input: first.input, result: result)
  }
}
