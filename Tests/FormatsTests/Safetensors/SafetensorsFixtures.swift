import Foundation
import TestSupport
import Testing

/// What `Tools/fixtures/safetensors/make.py` wrote: files, and what the reference library says of them.
struct SafetensorsFixtures: Decodable {
  struct Case: Decodable, Sendable {
    let name: String
    let file: Data
    /// "accepted", or why not.
    let verdict: String
    let names: [String]?
    /// The rule of the format that Apus holds to although the library does not.
    let rule: String?
  }

  struct Written: Decodable, Sendable {
    let name: String
    let file: Data
  }

  let versions: [String: String]
  let cases: [Case]
  let written: [Written]

  static let all: SafetensorsFixtures = {
    let url = Checkout.fixture("safetensors.json")
    do {
      return try JSONDecoder().decode(SafetensorsFixtures.self, from: Data(contentsOf: url))
    } catch {
      Issue.record("\(url.path): \(error)")
      return SafetensorsFixtures(versions: [:], cases: [], written: [])
    }
  }()
}
