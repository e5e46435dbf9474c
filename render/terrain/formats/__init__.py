"""File formats of heights: each module turns bytes into a `Grid`, and heights into bytes."""
