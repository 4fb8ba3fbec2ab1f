/// What a model did for the items of requests since the server knows it, however they were put together.
public struct ExecutionCounts: Sendable, Hashable {
  /// Texts, pictures and calls on tensors that have results.
  public internal(set) var items: UInt64 = 0
  /// Runs of networks that gave results, each for one item or for several together.
  public internal(set) var executions: UInt64 = 0
  /// When the last of them ended, in milliseconds since 1970; 0 for none.
  public internal(set) var lastMilliseconds: UInt64 = 0
  /// Items that were taken from a queue.
  public internal(set) var takenItems: UInt64 = 0
  /// How long they waited in it, all together.
  public internal(set) var waitingNanoseconds: UInt64 = 0
}
