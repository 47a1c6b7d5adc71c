"""What makes a finding milder: its run may not be as the file says."""
