import Apus
import Testing

/// Work that blocks its thread blocks none of Swift's own, and is told when nobody waits for it.
@Suite struct WorkerThreadTests {
  private struct Failure: Error, Equatable {}

  @Test func noMoreWorkThanThereAreThreads() async {
    let gauge = Gauge()
    let results = (0..<100).orderedMap(width: 50) { element in
      await WorkerThreads.run { _ in
        gauge.enter()
        defer { gauge.leave() }
        return element
      }
    }
    #expect(await Array(results) == Array(0..<100))
    #expect(gauge.highest <= WorkerThreads.count)
  }

  @Test func anErrorIsThrownAsItIs() async {
    await #expect(throws: Failure()) {
      try await WorkerThreads.run { (_) throws(Failure) in throw Failure() }
    }
  }

  /// As many as there are threads spin until a task says that it could run.
  @Test func tasksRunWhileAllThreadsAreBusy() async {
    let tasks = Gauge()
    await withDiscardingTaskGroup { group in
      for _ in 0..<WorkerThreads.count {
        group.addTask { await WorkerThreads.run { _ in while tasks.current == 0 {} } }
      }
      group.addTask { tasks.enter() }
    }
  }

  @Test func workIsToldThatItsTaskIsCancelled() async {
    let begun = Gauge()
    let task = Task {
      await WorkerThreads.run { isCancelled in
        begun.enter()
        while !isCancelled() {}
      }
    }
    while begun.current == 0 { await Task.yield() }
    task.cancel()
    await task.value
  }
}
