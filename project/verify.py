"""`verify`: a release against itself, offline. It works on any release folder, in a project or not."""

from ..release.verify import Verified, verify

__all__ = ["Verified", "verify"]
