"""The pages of reports: one a repository and period, with figures, tables that sort, definitions and downloads."""
