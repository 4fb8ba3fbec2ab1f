import ApusServing

extension Duration {
  /// What tests wait at most where no limit of time is what they are about: all are started at once on as many threads as
  /// there are cores, so that each may stand behind all others, and behind other work of the machine.
  public static var patience: Duration { .seconds(1200) }
}

extension ServingLimits {
  /// The defaults, for requests that may have to wait so long.
  public static var patient: ServingLimits {
    var limits = ServingLimits()
    limits.requestTime = .patience
    return limits
  }
}

/// Waits until something is so.
/// - Returns: whether it came to be.
public func eventually(_ isSo: () async throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .patience
  while ContinuousClock.now < end {
    if try await isSo() { return true }
    // Cancelled, it asks once more.
    do { try await Task.sleep(for: .milliseconds(5)) } catch { return try await isSo() }
  }
  return false
}
