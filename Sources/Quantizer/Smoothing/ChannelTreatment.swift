/// What is known of the channels that go into linear layers, and what is done about it before weights are quantized.
struct ChannelTreatment: Sendable {
  /// The treatment in a few words.
  var name = "none"
  var scaling = ChannelScaling()
  /// Nil when all weights of a row count alike.
  var statistics: ChannelStatistics?

  /// How much the weights of a matrix's columns count: the mean squares of what they are multiplied with.
  func importance(_ matrix: String) -> [Float]? {
    guard let squares = statistics?[matrix]?.meanSquares else { return nil }
    guard let columns = scaling.factors(of: matrix)?.columns else { return squares }
    return zip(squares, columns).map { $0 / ($1 * $1) }
  }
}
