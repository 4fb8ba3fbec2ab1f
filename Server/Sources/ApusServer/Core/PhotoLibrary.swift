/// The photographs that a server searches.
public final class PhotoLibrary: Sendable {
}
