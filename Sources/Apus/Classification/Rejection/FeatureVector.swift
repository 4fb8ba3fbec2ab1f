/// The input of a network's last layer, as one vector for a picture.
enum FeatureVector {
  /// The mean over all places of a tensor of which the last axis is the features.
  static func mean(of values: [Float], width: Int) -> [Float] {
    guard width > 0, values.count > width else { return values }
    var sums = [Float](repeating: 0, count: width)
    for start in stride(from: 0, through: values.count - width, by: width) {
      for index in 0..<width { sums[index] += values[start + index] }
    }
    let share = Float(width) / Float(values.count)
    return sums.map { $0 * share }
  }
}
