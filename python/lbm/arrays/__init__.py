"""Arrays of NumPy in and out of cases and simulations."""
