"""The last expression of a program, and the forms in which its value can be shown.

Texts go to the server with the record of the run, in bounds. Images become files of the workspace, as every image
that a program writes, and come back in the same way.
"""

import _ast

LAST = "__caisson_last__"

# In characters; what is longer is cut, or left out where a part of it would mean something else.
TEXT_MAX = 8000
HTML_MAX = 24000

_IMAGES = (("_repr_png_", "png"), ("_repr_jpeg_", "jpg"), ("_repr_svg_", "svg"))


def compiled(source, path, flags):
    """The program, whose last expression, if it ends with one, is kept under a name of ours.

    As in notebooks, a semicolon behind it says that it is not to be shown.
    """
    tree = compile(source, path, "exec", flags=flags | _ast.PyCF_ONLY_AST, dont_inherit=True)
    if tree.body and isinstance(tree.body[-1], _ast.Expr) and not source.rstrip().endswith(b";"):
        last = tree.body[-1]
        place = {name: getattr(last, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
        name = _ast.Name(id=LAST, ctx=_ast.Store(), **place)
        tree.body[-1] = _ast.Assign(targets=[name], value=last.value, **place)
    return compile(tree, path, "exec", flags=flags, dont_inherit=True)


def take(namespace, keep):
    value = namespace.pop(LAST, None)
    if value is not None:
        keep(value)


def forms(os, sys, value, figures, own):
    """A list of texts by media type; the images among its forms are saved."""
    found = [{"media_type": "text/plain", "text": _plain(value)}]
    html = _asked(value, "_repr_html_")
    if isinstance(html, str) and 0 < len(html) <= HTML_MAX:
        found.append({"media_type": "text/html", "text": html})
    if figures and figures[0].show_figure(value):
        return found
    for method, ending in _IMAGES:
        image = _asked(value, method)
        if isinstance(image, str):
            image = image.encode() if ending == "svg" else own("base64").b64decode(image)
        if isinstance(image, (bytes, bytearray)):
            save(os, image, ending)
            break
    return found


def _plain(value):
    try:
        text = repr(value)
    except Exception as problem:
        text = f"<{type(value).__name__}, whose repr failed: {type(problem).__name__}>"
    return text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}\n[... {len(text) - TEXT_MAX} characters omitted ...]"


def _asked(value, method):
    """Of its class: an object that answers to every name has no forms by that."""
    if isinstance(value, type) or getattr(type(value), method, None) is None:
        return None
    try:
        return getattr(value, method)()
    except Exception:
        return None


def save(os, image, ending):
    """Writes to the first free name; a program's own file is never touched."""
    for number in range(1, 1000):
        try:
            with open(f"/workspace/figure-{number}.{ending}", "xb") as file:
                file.write(image)
            return
        except FileExistsError:
            continue
        except OSError:
            return
