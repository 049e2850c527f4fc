"""A store to look at: ninety days of an invented project, recorded once (`record`)."""
