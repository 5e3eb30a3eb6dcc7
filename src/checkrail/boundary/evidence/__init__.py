"""What is kept of a run: typed records that cannot hold free text (`record.py`), and the file of them (`file.py`)."""

from .file import Evidence, read_evidence
from .record import RunRecord
from .turn import TurnRecord

__all__ = ["Evidence", "RunRecord", "TurnRecord", "read_evidence"]
