import Apus
import ServingTestSupport
import Testing

@testable import ApusServing

/// Pictures of work beside models have the limits of those.
@Suite struct PictureWorkTests {
  /// Four pixels wide and two high.
  private let picture: Picture

  init() throws {
    picture = Picture(try RGBImage(width: 4, height: 2, pixels: [UInt8](repeating: 0, count: 24)))
  }

  private func limits(_ change: (inout ServingLimits) -> Void) -> ServingLimits {
    var limits = ServingLimits.patient
    change(&limits)
    return limits
  }

  private func error(_ work: PictureWork<Int, Int>, _ pictures: [Picture]) async -> ServingError? {
    do throws(ServingError) {
      _ = try await work.outcome(of: 1, on: pictures)
      return nil
    } catch {
      return error
    }
  }

  @Test func workIsDone() async throws {
    let work = PictureWork<Int, Int>(.patient) { $0 + 1 }
    let none = try await work.outcome(of: 1, on: [])
    let two = try await work.outcome(of: 2, on: [picture, picture])
    #expect(none == 2 && two == 3)
  }

  @Test func errorsOfTheWorkAreThrown() async {
    let work = PictureWork<Int, Int>(.patient) { _ in throw ServingError(.notFound, "x") }
    let found = await error(work, [])
    #expect(found == ServingError(.notFound, "x"))
  }

  @Test func picturesCostTheirPixels() async throws {
    let work = PictureWork<Int, Int>(limits { $0.waitingPixels = 8 }) { $0 }
    let one = await error(work, [picture])
    let two = await error(work, [picture, picture])
    #expect(one == nil && two?.kind == .tooLarge)
    let file = try SampleItems.pictures()[0]
    let small = PictureWork<Int, Int>(limits { $0.images.pixels = 8 }) { $0 }
    let large = await error(small, [file])
    let broken = await error(small, [.encoded([1, 2, 3])])
    #expect(large?.kind == .tooLarge && broken?.kind == .invalid)
  }

  @Test func aRequestHasItsTime() async throws {
    let gate = Gate()
    let work = PictureWork<Int, Int>(limits { $0.requestTime = .milliseconds(50) }) { input in
      await gate.pass()
      return input
    }
    let late = await error(work, [])
    gate.open()
    #expect(late?.kind == .deadline)
  }

  @Test func whatWaitsIsTold() async throws {
    let gate = Gate(), count = WorkerThreads.count
    let work = PictureWork<Int, Int>(.patient) { input in
      await gate.pass()
      return input
    }
    let picture = picture
    var tasks = (0..<count).map { index in
      Task { () async throws -> Int in try await work.outcome(of: index, on: []) }
    }
    await gate.wait(for: count)
    tasks.append(Task { () async throws -> Int in try await work.outcome(of: count, on: [picture]) })
    #expect(await eventually { work.waitingPixels > 0 })
    let waiting = work.waitingPixels
    gate.open()
    for task in tasks { _ = await task.result }
    #expect(waiting == 8 && work.waitingPixels == 0)
  }

  /// As many run as there are threads, and one waits that fills the room.
  @Test func whatDoesNotFitNowIsRefused() async throws {
    let gate = Gate(), count = WorkerThreads.count
    var limits = ServingLimits.patient
    limits.waitingPixels = 8
    limits.requestTime = .seconds(2)
    let work = PictureWork<Int, Int>(limits) { input in
      await gate.pass()
      return input
    }
    let picture = picture
    let running = (0..<count).map { index in
      Task { () async throws -> Int in try await work.outcome(of: index, on: []) }
    }
    await gate.wait(for: count)
    let others = (0..<2).map { index in
      Task { () async throws -> Int in try await work.outcome(of: index, on: [picture]) }
    }
    var kinds: [ServingError.Kind] = []
    for task in others {
      if case .failure(let error as ServingError) = await task.result { kinds.append(error.kind) }
    }
    gate.open()
    for task in running { _ = await task.result }
    let refused = kinds.filter { kind in if case .overloaded = kind { true } else { false } }
    // The other's time is over.
    #expect(refused.count == 1 && kinds.contains(.deadline), "\(kinds)")
  }
}
