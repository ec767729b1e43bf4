"""Changes to a game file that leave everything else in it as it was; `gate` proves each before it is written."""
