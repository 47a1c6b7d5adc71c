"""What makes a finding milder: its run may have another release, other values, or may not be there at all."""
