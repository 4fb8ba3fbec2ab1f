import CLibrary
import Kernels
import Synchronization
import TensorCore
import Testing

/// What a child of a process does that has threads. Swift's own overlay hides `fork`. The process is one of its own: a child
/// keeps the locks on files that other tests hold.
@Suite(.serialized) struct ForkTests {
  private typealias Fork = @convention(c) () -> pid_t

  /// The exit status of a child that does the work; nil where it did not end by itself. It is done here first, so that what
  /// Swift makes of types is there, whose locks another test may hold when the process forks.
  private static func child(_ work: () -> Bool) throws -> Int32? {
    #expect(work())
    let address = try #require(dlsym(nil, "fork"))
    let process = unsafeBitCast(address, to: Fork.self)()
    if process == 0 {
      alarm(120)
      _exit(work() ? 0 : 1)
    }
    var status: Int32 = 0
    #expect(waitpid(process, &status, 0) == process)
    return status & 0x7F == 0 ? status >> 8 : nil
  }

  private static func sum() -> Int {
    let total = Atomic<Int>(0)
    ThreadPool.shared.parallel(count: 10_000, grain: 1, threads: ThreadPool.shared.size) { range, _ in
      total.wrappingAdd(range.reduce(0, +), ordering: .relaxed)
    }
    return total.load(ordering: .relaxed)
  }

  /// The pool of the parent has workers that the child has not.
  @Test func aChildHasAPoolOfItsOwn() async {
    await #expect(processExitsWith: .success) {
      ForkGate.install()
      #expect(Self.sum() == 49_995_000)
      for _ in 0..<20 {
        let status = try Self.child { (0..<100).allSatisfy { _ in Self.sum() == 49_995_000 } }
        #expect(status == 0)
        #expect(Self.sum() == 49_995_000)
      }
    }
  }

  /// With `Synchronization.Mutex` the child is ended.
  @Test func threadsOfAChildMeetAtALock() async {
    await #expect(processExitsWith: .success) {
      let count = Counter()
      let status = try Self.child {
        let before = count.value
        for _ in 0..<3 {
          WorkerThread.start(stackByteCount: 1 << 18) { for _ in 0..<100_000 { count.add(1) } }
        }
        for _ in 0..<100_000 { count.add(1) }
        while count.value < before + 400_000 { usleep(1000) }
        return true
      }
      #expect(status == 0)
    }
  }

  /// A thread inside is waited for until it makes way, and the child may go in.
  @Test func aProcessForksWhileThreadsMakeWay() async {
    await #expect(processExitsWith: .success) {
      let shared = Shared()
      WorkerThread.start(stackByteCount: 1 << 18) {
        ForkGate.enter()
        while !shared.isDone.load(ordering: .relaxed) {
          shared.lock.withLock { $0 += 1 }
          ForkGate.pass()
        }
        ForkGate.leave()
        shared.hasLeft.store(true, ordering: .relaxed)
      }
      while shared.lock.withLock({ $0 }) == 0 { usleep(100) }
      for _ in 0..<50 {
        let status = try Self.child {
          ForkGate.enter()
          defer { ForkGate.leave() }
          return shared.lock.withLock { $0 } > 0
        }
        #expect(status == 0)
      }
      shared.isDone.store(true, ordering: .relaxed)
      while !shared.hasLeft.load(ordering: .relaxed) { usleep(100) }
    }
  }

  private final class Shared: Sendable {
    let lock = Lock(0)
    let isDone = Atomic<Bool>(false)
    let hasLeft = Atomic<Bool>(false)
  }

  private final class Counter: Sendable {
    private let lock = Lock(0)
    var value: Int { lock.withLock { $0 } }

    @discardableResult func add(_ number: Int) -> Int {
      lock.withLock {
        $0 += number
        return $0
      }
    }
  }
}
