import CLibrary

/// The rights of a user who owns nothing, as tests may run as root, who can read all.
enum AnotherUser {
  /// Runs `body` with them where the process has others'. Only this thread is concerned, unlike with `seteuid`.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    guard geteuid() == 0 else { return try body() }
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "setfsuid") else { throw Absent() }
    let become = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
    _ = become(65_534)
    defer { _ = become(0) }
    return try body()
  }

  private struct Absent: Error {}
}
