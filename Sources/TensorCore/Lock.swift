import CLibrary

/// A value that one thread at a time may look at.
///
/// In the place of `Synchronization.Mutex`, which keeps the number that the kernel has for a thread and takes it for the same
/// after `fork`: a child in which two threads meet at one is ended by the standard library (6.3.1).
@safe package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable package init(_ initial: consuming sending Value) {
    mutex = .allocate(capacity: 1)
    value = .allocate(capacity: 1)
    // It cannot fail with the attributes of the system.
    pthread_mutex_init(mutex, nil)
    value.initialize(to: initial)
  }

  @inlinable deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with the value when no other thread has it. Not to be called again inside.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  /// The same where no other thread has the value now; else nil, at once.
  @inlinable package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
