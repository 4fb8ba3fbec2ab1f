import ServingTestSupport
import Synchronization
import Testing

@testable import ApusServing

@Suite struct PictureBudgetTests {
  /// Waits until so many wait.
  private func until(_ count: Int, wait budget: PictureBudget) async {
    #expect(await eventually { budget.status.waiting == count })
  }

  @Test func waitsForRoomInOrder() async {
    let budget = PictureBudget(pixels: 10)
    let (gate, order) = (Gate(), Order())
    async let first: Void = budget.run(6) { await gate.pass() }
    #expect(await eventually { budget.status.used == 6 })
    async let second: Void = budget.run(6) { order.append(6) }
    await until(1, wait: budget)
    // There would be room for it, but it came later.
    async let third: Void = budget.run(3) { order.append(3) }
    await until(2, wait: budget)
    #expect(order.values == [] && budget.status.used == 6)
    gate.open()
    _ = await (first, second, third)
    #expect(order.values.sorted() == [3, 6] && budget.status == (0, 0))
  }

  /// It is alone, rather than waiting for ever.
  @Test func aPictureOverTheBudgetIsWorkedOn() async {
    let budget = PictureBudget(pixels: 10)
    #expect(await budget.run(11) { budget.status.used } == 11)
    #expect(budget.status == (0, 0))
  }

  @Test func roomIsGivenBackByWorkThatFails() async {
    let budget = PictureBudget(pixels: 10)
    await #expect(throws: ServingError.self) {
      try await budget.run(7) { throw ServingError(.failed, "x") }
    }
    #expect(budget.status == (0, 0))
  }
}

/// The pixels of what was done, in order.
private final class Order: Sendable {
  private let done = Mutex<[Int]>([])
  var values: [Int] { done.withLock(\.self) }
  func append(_ value: Int) { done.withLock { $0.append(value) } }
}
