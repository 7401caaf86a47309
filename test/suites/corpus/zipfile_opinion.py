"""Python's zipfile on each archive: "ok" when every member can be read whole, else "error" and why."""

import sys
import zipfile

for path in sys.argv[1:]:
    try:
        with zipfile.ZipFile(path) as archive:
            bad = archive.testzip()
        print("ok" if bad is None else "error CRC")
    except Exception as failure:  # whatever it raises is its opinion
        print("error", type(failure).__name__)
