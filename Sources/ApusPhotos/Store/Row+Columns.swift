import GRDB

extension Row {
  /// The value of a column. GRDB's own subscript ends the process where a damaged database has none, or one of another
  /// type.
  func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
    try decode(atIndex: column)
  }
}
