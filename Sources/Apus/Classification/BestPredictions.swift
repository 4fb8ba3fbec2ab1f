extension Classification {
  /// The same with so many of the best predictions; with all of them for nil.
  public func best(_ count: Int?) -> Classification {
    var result = self
    result.predictions.keep(count)
    return result
  }
}

extension TextClassification {
  /// The same with so many of the best predictions; with all of them for nil.
  public func best(_ count: Int?) -> TextClassification {
    var result = self
    result.predictions.keep(count)
    return result
  }
}

extension ZeroShotClassification {
  /// The same with so many of the best predictions; with all of them for nil.
  public func best(_ count: Int?) -> ZeroShotClassification {
    var result = self
    result.predictions.keep(count)
    return result
  }
}

extension Array {
  fileprivate mutating func keep(_ count: Int?) {
    if let count { removeLast(Swift.max(0, self.count - Swift.max(0, count))) }
  }
}
