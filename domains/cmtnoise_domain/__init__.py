"""The launcher of domains: places other than this host in which cmtnoise measures (docs/domains.md)."""
