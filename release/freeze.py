"""Freezing: a release is gated, written beside its place, flushed to disk, and appears there whole or not at all."""
