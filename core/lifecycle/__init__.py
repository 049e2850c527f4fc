"""The worth of a memory over time, and summaries of sessions and periods."""
