def divide(a, b):
    return a / b


print("about to fail")
divide(1, 0)
