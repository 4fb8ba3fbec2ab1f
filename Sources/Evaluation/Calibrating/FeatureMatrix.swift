import Statistics

/// Rows of features, and the little linear algebra that a rejection is fitted with.
struct FeatureMatrix {
  private(set) var values: [Double]
  let columns: Int

  var rows: Int { columns > 0 ? values.count / columns : 0 }

  init(values: [Double], columns: Int) {
    self.values = values
    self.columns = columns
  }

  /// - Parameter rows: all of one length.
  init(_ rows: [[Float]]) {
    values = rows.flatMap { $0.map(Double.init) }
    columns = rows.first?.count ?? 0
  }

  func row(_ index: Int) -> ArraySlice<Double> { values[index * columns..<(index + 1) * columns] }

  var mean: [Double] {
    var sums = [Double](repeating: 0, count: columns)
    for row in 0..<rows {
      for column in 0..<columns { sums[column] += values[row * columns + column] }
    }
    return sums.map { $0 / Double(max(rows, 1)) }
  }

  func subtracting(_ vector: [Double]) -> FeatureMatrix {
    var result = self
    for index in result.values.indices { result.values[index] -= vector[index % columns] }
    return result
  }

  /// The rows times those of another matrix: `[rows, other.rows]`.
  func timesTransposed(_ other: FeatureMatrix) -> FeatureMatrix {
    var result = [Double](repeating: 0, count: rows * other.rows)
    values.withUnsafeBufferPointer { a in
      other.values.withUnsafeBufferPointer { b in
        for row in 0..<rows {
          for column in 0..<other.rows {
            var sum = 0.0
            for place in 0..<columns { sum += a[row * columns + place] * b[column * columns + place] }
            result[row * other.rows + column] = sum
          }
        }
      }
    }
    return FeatureMatrix(values: result, columns: other.rows)
  }

  var transposed: FeatureMatrix {
    var result = [Double](repeating: 0, count: values.count)
    for row in 0..<rows {
      for column in 0..<columns { result[column * rows + row] = values[row * columns + column] }
    }
    return FeatureMatrix(values: result, columns: rows)
  }

  /// The mean of products of columns, drawn towards a multiple of the identity by a share `shrinkage` of it.
  /// - Parameter least: the mean square of columns, where their own is smaller.
  func covariance(shrinkage: Double, least: Double = 0) -> FeatureMatrix {
    let columns = transposed
    var products = columns.timesTransposed(columns)
    let count = Double(max(rows, 1))
    var trace = 0.0
    for index in 0..<products.columns { trace += products.values[index * products.columns + index] / count }
    let mean = max(trace / Double(max(products.columns, 1)), least, .leastNormalMagnitude)
    for index in products.values.indices { products.values[index] *= (1 - shrinkage) / count }
    for index in 0..<products.columns {
      products.values[index * products.columns + index] += shrinkage * mean
    }
    return products
  }

  /// The inverse of the lower Cholesky factor of a positive definite matrix: brings a scatter of this covariance to one
  /// of the identity.
  var whitening: FeatureMatrix {
    let size = columns
    var factor = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in 0...row {
        var sum = values[row * size + column]
        for place in 0..<column { sum -= factor[row * size + place] * factor[column * size + place] }
        factor[row * size + column] =
          row == column
          ? max(sum, .leastNormalMagnitude).squareRoot() : sum / factor[column * size + column]
      }
    }
    var inverse = [Double](repeating: 0, count: size * size)
    for column in 0..<size {
      for row in column..<size {
        var sum = row == column ? 1.0 : 0
        for place in column..<row { sum -= factor[row * size + place] * inverse[place * size + column] }
        inverse[row * size + column] = sum / factor[row * size + row]
      }
    }
    return FeatureMatrix(values: inverse, columns: size)
  }

  /// The axes of the greatest scatter of rows about 0, `[count, columns]`, by subspace iteration.
  func principalAxes(_ count: Int) -> FeatureMatrix {
    var random = SplitMix64(seed: 1)
    let start = (0..<count * columns).map { _ in Double(random.index(below: 1 << 20)) / Double(1 << 19) - 1 }
    var axes = FeatureMatrix(values: start, columns: columns).orthonormalized
    let own = transposed
    for _ in 0..<Self.iterations {
      // Rows times axes, and back: the covariance is never made, which would be large.
      axes = timesTransposed(axes).transposed.timesTransposed(own).orthonormalized
    }
    return axes
  }

  private static let iterations = 12

  /// Rows of length 1, each at right angles to those before it (Gram and Schmidt).
  private var orthonormalized: FeatureMatrix {
    var result = values
    for row in 0..<rows {
      for other in 0..<row {
        var product = 0.0
        for place in 0..<columns {
          product += result[row * columns + place] * result[other * columns + place]
        }
        for place in 0..<columns {
          result[row * columns + place] -= product * result[other * columns + place]
        }
      }
      var square = 0.0
      for place in 0..<columns { square += result[row * columns + place] * result[row * columns + place] }
      let scale = square > 1e-20 ? 1 / square.squareRoot() : 0
      for place in 0..<columns { result[row * columns + place] *= scale }
    }
    return FeatureMatrix(values: result, columns: columns)
  }
}
