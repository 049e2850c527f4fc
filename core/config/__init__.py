"""What can be configured, and how it is read: `policy` and `limits` declare, `settings` reads."""
