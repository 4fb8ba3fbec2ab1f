import CLibrary
import Dispatch
import Synchronization

/// Keeps `fork` waiting while other threads are inside the library, so that no lock is held in the child by a thread that it
/// does not have; and gives the child a pool of threads of its own.
///
/// Threads that call from outside say when they come and go, as those of an interface for other languages do. Inside they
/// make way between two nodes of a model, so that nobody waits for a long run.
public enum ForkGate {
  /// Callers inside.
  private static let callers = Atomic<Int>(0)
  /// Those of them, and of the pool's workers, that make way.
  private static let aside = Atomic<Int>(0)
  private static let isForking = Atomic<Bool>(false)

  /// What a process waits at most before it forks all the same.
  private static let patience: UInt64 = 10_000_000_000

  /// To be called before `fork` can be; the first call counts.
  public static func install() { _ = isInstalled }

  private static let isInstalled: Bool = {
    _ = ThreadPool.shared
    return pthread_atfork({ ForkGate.close() }, { ForkGate.open() }, { ForkGate.openInChild() }) == 0
  }()

  /// Says that this thread is inside from now on. It must not be already.
  public static func enter() {
    install()
    callers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if isForking.load(ordering: .sequentiallyConsistent) { makeWay() }
  }

  /// Says that this thread is no longer inside.
  public static func leave() { callers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  /// Lets a process fork that waits for it. Called by who holds no lock.
  public static func pass() {
    if isForking.load(ordering: .relaxed) { makeWay() }
  }

  private static func makeWay() {
    // Again where the process forks another time before this thread is back.
    repeat {
      aside.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while isForking.load(ordering: .sequentiallyConsistent) { usleep(50) }
      aside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    } while isForking.load(ordering: .sequentiallyConsistent)
  }

  private static func close() {
    isForking.store(true, ordering: .sequentiallyConsistent)
    let end = now() + patience
    while isOccupied, now() < end { usleep(20) }
  }

  /// Whether somebody inside may hold a lock. Workers that help nobody who said so are not waited for.
  private static var isOccupied: Bool {
    let callers = callers.load(ordering: .sequentiallyConsistent)
    return callers > 0
      && callers + ThreadPool.shared.workersInside > aside.load(ordering: .sequentiallyConsistent)
  }

  private static func open() { isForking.store(false, ordering: .sequentiallyConsistent) }

  /// The thread that forked is the child's only one, and it was not inside.
  private static func openInChild() {
    callers.store(0, ordering: .sequentiallyConsistent)
    aside.store(0, ordering: .sequentiallyConsistent)
    ThreadPool.shared.forgetWorkers()
    open()
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
