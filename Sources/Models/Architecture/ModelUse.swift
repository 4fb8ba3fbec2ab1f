/// What people use a model for.
package enum ModelUse: String, Sendable, CaseIterable {
  case pictureClasses = "classifies pictures"
  case textClasses = "classifies texts"
  case zeroShot = "compares pictures with texts"
  case pictureEmbeddings = "embeds pictures"
  case textEmbeddings = "embeds texts"

  var isClassification: Bool { self == .pictureClasses || self == .textClasses }
}
