"""Judges that grade tool-call plans on four metrics, with or without the ground truth.

`conditions` holds what may be varied, `page` what is shown, `plan_judge` the judge,
`reading` how its answer is read, `corrupted` the reference plans that are wrong.
"""
