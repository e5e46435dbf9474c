"""fitness."""
