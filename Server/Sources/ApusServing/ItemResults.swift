extension Array {
  /// What there is for each item of a request, for protocols that answer a request as a whole.
  /// - Throws: the error of the first that failed, with its place where there were several.
  public func all<Value>() throws(ServingError) -> [Value] where Element == Result<Value, ServingError> {
    var values: [Value] = []
    values.reserveCapacity(count)
    for (index, result) in enumerated() {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        guard count > 1 else { throw error }
        let place = "Item \(index) of \(count): "
        throw ServingError(error.kind, place + error.message, detail: error.detail.map { place + $0 })
      }
    }
    return values
  }

  /// What there is for the only item of a request.
  /// - Throws: its error.
  public func only<Value>() throws(ServingError) -> Value where Element == Result<Value, ServingError> {
    guard let value = try all().first else { throw ServingError(.failed, "There is no result.") }
    return value
  }
}
