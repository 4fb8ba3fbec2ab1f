import TensorCore

extension PhotoFilter.Circle {
  /// A circle as it is written.
  /// - Parameter text: degrees north and east of its centre, and kilometres of its radius, such as `48.14,11.58,20`;
  ///   spaces around them do not count.
  /// - Throws: ``ApusError`` of kind `argument` for another text, or a place that there is not.
  public init(_ text: String) throws(ApusError) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double("\($0)".trimmed) }
    guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
      let kilometres = numbers[2],
      (-90...90).contains(latitude), (-180...180).contains(longitude), kilometres > 0, kilometres.isFinite
    else {
      throw ApusError(
        .argument, "'\(text)' is no circle",
        expected: "degrees north, degrees east and kilometres, such as 48.14,11.58,20")
    }
    self.init(latitude: latitude, longitude: longitude, kilometres: kilometres)
  }
}
