import Testing

@testable import ApusPhotos
