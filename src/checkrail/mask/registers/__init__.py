"""What a text has written where that must not come again: items of an array with `uniqueItems`, keys of an object.

A finite automaton cannot remember them, so a register goes with the text instead (`register`). The automaton notes
where such a value begins; the follower of its source reads on from there, refuses what would be written twice, and
takes out of masks the tokens that would come to it. Texts in which nothing of the kind happens pay nothing.
"""

from .follower import Follower

__all__ = ["Follower"]
