"""A local GitHub: state, REST, GraphQL, webhooks, limits, faults and pages, good enough to live in."""
