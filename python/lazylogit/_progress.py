"""A line that shows how a fit goes: in a terminal it is rewritten, in a notebook it is an element of the page."""
import math
import sys


def in_notebook():
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "ZMQ" in type(shell).__name__


class Progress:
    """Called by the engine some 20 times a second with the last pass."""

    def __init__(self):
        self.handle, self.shown = None, ""

    def __call__(self, passes, error, gap, seconds, done, of):
        text = f"tuning {done}/{of}" if of and done < of else ""
        if passes:
            text += f"{', ' if text else ''}pass {passes}: error {error:.6g}"
            if not math.isnan(gap):
                text += f", gap {gap:.1e}"
            text += f", {seconds:.1f} s"
        if not text or text == self.shown:
            return
        share = done / of if of else self._share(gap)
        bar = "█" * round(20 * share) + "·" * (20 - round(20 * share))
        self._show(f"{bar} {text}", len(self.shown))
        self.shown = text

    @staticmethod
    def _share(gap):
        """How far the gap is on its way from 1 to 1e-6, by its logarithm."""
        if not gap > 0:
            return 0.0
        return min(1.0, max(0.0, -math.log10(gap) / 6))

    def _show(self, line, before):
        if not in_notebook():
            sys.stderr.write(f"\r{line}{' ' * max(0, before - len(line))}")
            sys.stderr.flush()
            return
        from IPython.display import HTML, display

        page = HTML(f"<code>{line}</code>")
        if self.handle is None:
            self.handle = display(page, display_id=True)
        else:
            self.handle.update(page)

    def end(self):
        if self.shown and not in_notebook():
            sys.stderr.write("\n")
            sys.stderr.flush()
