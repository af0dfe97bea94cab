"""What a fork must not have in common with other forks of its interpreter, beyond what Python itself sees to."""


def renew(sys):
    """Numpy seeds its generator when it is imported. Python's own `random` is seeded anew in every fork."""
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed()
