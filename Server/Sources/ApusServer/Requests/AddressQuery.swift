import ApusServing
import FoundationEssentials

/// The parameters behind the question mark of an address, as forms write them: spaces are pluses.
enum AddressQuery {
  static func parameters(_ query: String) throws(RequestFault) -> [(String, String)] {
    var parameters: [(String, String)] = []
    for part in query.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).replacing("+", with: " ").removingPercentEncoding }
      guard let name = sides[0], let value = sides.count > 1 ? sides[1] : "" else {
        throw RequestFault(.syntax, "The address has a broken escape in '\(String(part).clipped)'.")
      }
      parameters.append((name, value))
    }
    return parameters
  }
}
