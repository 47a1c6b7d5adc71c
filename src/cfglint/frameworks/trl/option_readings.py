"""What follows from the options of a program whose parser fills a class: no more than from a call."""

from __future__ import annotations

from cfglint.frameworks.trl.call_readings import CallReadings

ROLE = CallReadings
