// What the shared library is linked of.
@_exported import ApusC
