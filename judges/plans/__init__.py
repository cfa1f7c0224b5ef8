"""Judges that grade tool-call plans on four metrics, with or without the ground truth.

`conditions` are the experimental conditions, `page` the page of a plan, `plan_judge` the
judge, `grade_parser` reads its answers, and `corrupted` draws wrong reference plans.
"""
