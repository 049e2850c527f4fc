"""What memdeck decides. No SQL, no widgets. ARCHITECTURE.md lists the packages."""
