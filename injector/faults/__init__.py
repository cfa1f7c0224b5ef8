"""The built-in fault types, a folder or a module for every domain."""
