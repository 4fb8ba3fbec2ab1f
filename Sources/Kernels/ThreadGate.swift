import CLibrary

/// Where threads sleep until another wakes them.
final class ThreadGate: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() { make() }

  private func make() {
    // Neither can fail with the attributes of the system.
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  /// Takes it that nobody sleeps, in a process that was forked and has none of the threads that did.
  func forgetSleepers() { make() }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Sleeps while `isIdle` holds; it is asked again after each waking.
  func sleep(while isIdle: () -> Bool) {
    pthread_mutex_lock(mutex)
    while isIdle() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
