/// Requests of protocols that have a server of their own beside this one, among those that are counted.
extension ServerState {
  /// Counts a request that comes in.
  public func requestBegins() { counts.begin() }

  /// Counts what came of it.
  /// - Parameter status: the status of HTTP that means as much; nil where the client is gone, whom no answer reaches.
  public func requestEnds(status: Int?) {
    if let status { counts.end(status: status) } else { counts.leave() }
  }
}
