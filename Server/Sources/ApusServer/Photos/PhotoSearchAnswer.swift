import Apus
import ApusPhotos

/// What there is to search.
struct PhotoOverview: Encodable, Sendable {
  /// How many photographs; 0 where the server has no index.
  var photos = 0
  /// The name of the model; nil where the server has no index.
  var model: String?
}

/// What was found, the most alike first.
struct PhotoSearchAnswer: Encodable, Sendable {
  struct Result: Encodable, Sendable {
    /// By which it can be had from `/api/photos`.
    let id: String
    /// Where it lies, from `/`.
    let path: String
    /// The cosine of the angle between the query and the photograph.
    let score: Float
    /// When it was taken, as `2019-05-31 18:30:15`; nil where its file does not say.
    let taken: String?
    /// Pixels in a row, upright.
    let width: Int?
    /// Rows, upright.
    let height: Int?
  }

  let results: [Result]

  init(_ matches: [PhotoMatch]) {
    results = matches.map { match in
      Result(
        id: String(match.photo.id), path: match.paths.first.map(FileName.readable) ?? "", score: match.score,
        taken: match.photo.taken, width: match.photo.width, height: match.photo.height)
    }
  }
}
