"""The scores, a module for each family; `fitness.table` lists them by name."""
