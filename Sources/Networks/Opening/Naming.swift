import TensorCore

/// The result of `body`, whose errors name the file at `path` unless they name one.
package func naming<Result>(
  _ path: String, in body: () throws(ApusError) -> Result
) throws(ApusError) -> Result {
  do {
    return try body()
  } catch {
    throw error.inFile(path)
  }
}
