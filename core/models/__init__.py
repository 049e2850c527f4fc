"""Models of the user's own, and what they are asked, over one client."""
