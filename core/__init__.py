"""The decisions of memdeck. No SQL, no widgets. ARCHITECTURE.md lists the packages."""
