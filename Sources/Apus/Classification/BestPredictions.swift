extension Classification {
  /// A copy with the best `count` predictions; nil keeps all.
  public func best(_ count: Int?) -> Classification {
    var result = self
    result.predictions.keep(count)
    return result
  }
}

extension TextClassification {
  /// A copy with the best `count` predictions; nil keeps all.
  public func best(_ count: Int?) -> TextClassification {
    var result = self
    result.predictions.keep(count)
    return result
  }
}

extension ZeroShotClassification {
  /// A copy with the best `count` predictions; nil keeps all.
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
