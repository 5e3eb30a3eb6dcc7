"""The program of a worker: `python -P -s -S -B _worker.py CALL CONTROL FOLDER`. Nobody else should run it.

CALL and CONTROL are the numbers of two inherited descriptors, FOLDER is where the package is. Without `site`, the
interpreter knows the standard library only; the folder is added here, and what the tool may import is told later, with
the call. The environment is the host's to set and empty but for what it fixed.
"""

from __future__ import annotations

import os
import signal
import sys


def main(call: int, control: int, folder: str) -> None:
    """Serve one call and end."""
    os.umask(0o077)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a host that ignores it hands that down, and then nobody can wait
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # what the host's thread had blocked is inherited
    for descriptor in (call, control):
        os.set_inheritable(descriptor, False)
    sys.path.insert(0, folder)
    from checkrail.boundary.worker.keeper import keep

    keep(call, control)
    os._exit(0)  # there is nothing to tidy up, and the host waits


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
