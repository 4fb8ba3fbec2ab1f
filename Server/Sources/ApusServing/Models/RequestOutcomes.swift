/// What came of the items of a request, and how long they waited and ran; of texts also how long their tokens took.
struct RequestOutcomes<Output> {
  let items: [Result<Output, ServingError>]
  let time: Duration

  /// The same with something else made of each result.
  func map<Other>(_ make: (Output) -> Other) -> RequestOutcomes<Other> {
    RequestOutcomes<Other>(items: items.map { $0.map(make) }, time: time)
  }

  /// Both, of which the other was done afterwards.
  func followed(by other: Self) -> Self {
    RequestOutcomes(items: items + other.items, time: time + other.time)
  }
}

extension Result where Failure == ServingError {
  /// Why there is no result; nil where there is one.
  var error: ServingError? { if case .failure(let error) = self { error } else { nil } }
}
