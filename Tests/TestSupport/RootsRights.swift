import CLibrary

/// Runs `body` with the rights to files of a user who owns none of them, where root runs the tests, who may read everything.
/// The rights are those of this thread.
package func withoutRootsRights<Result>(_ body: () throws -> Result) rethrows -> Result {
  // Swift's module of the C library lacks the function.
  guard geteuid() == 0, let function = dlsym(nil, "setfsuid") else { return try body() }
  let setUser = unsafeBitCast(function, to: (@convention(c) (uid_t) -> Int32).self)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return try body()
}
