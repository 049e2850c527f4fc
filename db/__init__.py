"""What memdeck stores, and the only place that speaks SQL."""
