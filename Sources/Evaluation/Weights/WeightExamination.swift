import CLibrary
import TensorCore

/// Compares a stored tensor with the baseline's as a whole and channel by channel.
struct WeightExamination {
  /// What a slice of a tensor is.
  enum Axis: String {
    case row, column
  }

  let shape: [Int]
  /// Signal to noise of the whole, in dB.
  let signalToNoise: Double
  private let whole: ChannelSums.Channel
  private let rows: [ChannelSums.Channel]
  private let columns: [ChannelSums.Channel]

  /// Numbers in memory at a time.
  private static let block = 1 << 16
  /// Columns of fewer are places in a filter, and no channels.
  private static let leastColumns = 8

  /// - Throws: ``ApusError`` when the elements stand for no numbers.
  init(_ baseline: StoredNumbers, _ other: StoredNumbers) throws(ApusError) {
    shape = other.tensor.shape.dimensions
    let count = min(baseline.tensor.shape.elementCount, other.tensor.shape.elementCount)
    let (rowCount, columnCount) = (shape.first ?? 1, shape.last ?? 1)
    var all = ChannelSums(count: 1, run: 1, steps: (baseline.steps, other.steps))
    var rows = ChannelSums(
      count: rowCount, run: count / max(rowCount, 1), steps: (baseline.rowSteps, other.rowSteps))
    var columns = ChannelSums(
      count: columnCount, run: 1, steps: (baseline.columnSteps, other.columnSteps))
    for start in stride(from: 0, to: count, by: Self.block) {
      let range = start..<min(start + Self.block, count)
      let (a, b) = (try baseline.realNumbers(range), try other.realNumbers(range))
      all.add(a, b, at: start)
      rows.add(a, b, at: start)
      columns.add(a, b, at: start)
    }
    whole = all.channels[0]
    self.rows = rows.channels
    self.columns = shape.count > 1 && columnCount >= Self.leastColumns ? columns.channels : []
    signalToNoise = Self.decibels(whole.error)
  }

  /// The same, where noise that rounding makes does not count.
  var unexplainedSignalToNoise: Double { Self.decibels(whole.unexplainedError) }

  private static func decibels(_ error: Double) -> Double { error > 0 ? -10 * log10(error) : .infinity }

  /// The factors of slices that are not the baseline's, by axis and position: what another tensor may make up for.
  var factors: [(axis: Axis, factors: [Int: Double])] {
    [(Axis.row, rows), (.column, columns)].map { axis, channels in
      let changed = deviating(channels)
      return (
        axis, Dictionary(changed.map { ($0, channels[$0].gain) }, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// Nil where it is the baseline's but for rounding.
  var fault: WeightFault? {
    if whole.notFinite > 0 { return .notFinite(whole.notFinite) }
    guard whole.baselineSquares > 0 else { return nil }
    if whole.isZero { return .zero }
    if abs(whole.gain - 1) > 0.25, whole.residue < 0.003 { return .scaled(whole.gain) }
    return fault(rows, .row) ?? fault(columns, .column)
      ?? (signalToNoise < 6 ? .different(signalToNoise: signalToNoise) : nil)
  }

  /// Slices that are zero or scaled, all by one factor, among others that are as they should be.
  private func fault(_ channels: [ChannelSums.Channel], _ axis: Axis) -> WeightFault? {
    guard shape.count > 1, channels.count > 1 else { return nil }
    let changed = deviating(channels)
    guard !changed.isEmpty, 2 * changed.count <= channels.count else { return nil }
    // Of a model that was trained on, many slices differ more than that.
    let errors = channels.map(\.unexplainedError).sorted()
    guard errors[9 * (channels.count - changed.count) / 10] < 0.01 else { return nil }
    if changed.allSatisfy({ channels[$0].isZero }) { return .channels(axis, changed, factor: 0) }
    let factor = changed.reduce(0) { $0 + channels[$1].gain } / Double(changed.count)
    let isOne = changed.allSatisfy {
      channels[$0].residue < 0.02 && abs(channels[$0].gain / factor - 1) < 0.1
    }
    return isOne ? .channels(axis, changed, factor: factor) : nil
  }

  /// Slices with errors of more than a fifth of their power that rounding does not explain. Those with next to no power
  /// say nothing.
  private func deviating(_ channels: [ChannelSums.Channel]) -> [Int] {
    let powers = channels.map(\.baselineSquares).sorted()
    let usual = powers.isEmpty ? 0 : powers[powers.count / 2]
    return channels.indices.filter { index in
      let channel = channels[index]
      return channel.baselineSquares > 0.01 * usual && channel.error > 0.2 && channel.isBeyondRounding
    }
  }
}
