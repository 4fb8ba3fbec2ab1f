// What an index speaks of: errors, pictures, precision.
@_exported import Apus
