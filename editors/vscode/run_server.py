"""Runs the cfglint that comes with the extension, with any Python from 3.10 on."""

import os
import sys

if sys.version_info < (3, 10):  # noqa: UP036 - it is started with any Python
    sys.exit("cfglint needs Python 3.10 or newer, and this is " + sys.version.split()[0])

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))
if sys.argv[1:] == ["--probe"]:
    import cfglint.server.features  # noqa: F401 - whether it can be imported is the question
else:
    from cfglint.__main__ import script

    script()
