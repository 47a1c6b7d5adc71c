"""Makes the lock files that the tests read, by the tools that people use.

``python -m tools.locks tests/target/project/files/made --bin FOLDER…`` serves an index of empty packages that have
the names and versions of real ones, lets each tool resolve the same small project against it, and keeps what the
tool wrote together with what the tool itself lists as installed. Addresses of the index become
``https://example.invalid``; nothing else is changed. Tools that are not found are skipped, and their files kept.
"""
