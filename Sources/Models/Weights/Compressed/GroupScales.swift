/// The scales of a matrix whose weights have one in common for each group of columns in a row.
package struct GroupScales: Sendable {
  /// [rows, groups]
  package let scales: [Float]
  package let rows: Int
  /// Columns of a group; fewer in the last where they do not come out even.
  package let size: Int
}
