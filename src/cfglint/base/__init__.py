"""What every other part uses: small records, lazy patterns, three-valued logic, spelling."""
