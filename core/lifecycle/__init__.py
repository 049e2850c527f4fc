"""What a memory is worth in time, and what sessions and periods come to in a few lines."""
