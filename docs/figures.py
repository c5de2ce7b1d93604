"""Fills the tables of README.md and docs/accuracy.md with the figures of an evaluation.

    img2fen eval MANIFEST --split dev --json dev.json
    python docs/figures.py dev.json
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHOLE = "(all but start positions)"


def percent(share, digits=1):
    """A share as a number of percent."""
    return f"{100 * share:.{digits}f}"


def row(name, figures):
    """One line of the table."""
    wrong = round(figures["wrong_but_sure"] * figures["sure"])
    cells = [name, str(figures["boards"]), *(percent(figures[key]) for key in ("found", "exact", "at_most_one_wrong")),
             percent(figures["squares"], 2), percent(figures["orientation_right"]), percent(figures["doubtful"], 0),
             f"{wrong} of {figures['sure']}"]
    return f"| {' | '.join(cells)} |"


def summary(report):
    """Table and text on boards found and read."""
    kinds = [(name, figures) for name, figures in sorted(report["kinds"].items()) if figures["boards"] >= 10]
    false, physical = report["negatives"], report["physical_boards"]
    lines = ["| pictures | boards | found % | exact, right way up % | at most one wrong % | squares % | orientation % | "
             "marked doubtful % | wrong among the sure |", "|---|---|---|---|---|---|---|---|---|",
             *(row(name, figures) for name, figures in kinds), row("all but start positions", report["traits"][WHOLE]),
             row("**all**", report["all"]), "",
             f"False boards: {len(false['with_a_board'])} of {false['pictures']} pictures without a board (sure: "
             f"{false['with_a_sure_board']}), {len(physical['with_a_board'])} of {physical['pictures']} photos of physical "
             f"boards (sure: {physical['with_a_sure_board']}); {report['extra_boards']} boards beside the labelled ones on "
             f"other pictures (sure: {report['extra_sure_boards']}). Expected calibration error of the board confidence: "
             f"{percent(report['all']['expected_calibration_error'])} %. Worst corner: median "
             f"{report['corner_error_median']:.1f} % of a square, 90th percentile {report['corner_error_p90']:.1f} %."]
    return "\n".join(lines)


def curves(report):
    """The reliability diagram and the risk-coverage curve as tables."""
    lines = ["Reliability (bins of equally many boards):", "", "| boards | mean confidence | exact |", "|---|---|---|",
             *(f"| {b['boards']} | {b['mean_confidence']:.3f} | {b['exact']:.3f} |" for b in report["reliability"]), "",
             "Risk and coverage:", "", "| threshold | boards above | wrong among them |", "|---|---|---|",
             *(f"| {threshold:g} | {percent(above)} % | {percent(wrong or 0, 2)} % |"
               for threshold, above, wrong in report["risk_coverage"])]
    return "\n".join(lines)


def fill(path, mark, text):
    """Puts the text between <!-- mark --> and <!-- /mark -->."""
    old = path.read_text()
    new, times = re.subn(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", lambda found: found[1] + text + "\n" + found[2], old,
                         flags=re.S)
    if times != 1:
        raise SystemExit(f"{path}: no place marked <!-- {mark} --> ... <!-- /{mark} -->")
    path.write_text(new)


def main():
    report = json.loads(Path(sys.argv[1]).read_text())
    fill(ROOT / "README.md", "accuracy",
         f"Real pictures that the networks have never seen (split `dev`, {report['all']['boards']} boards, labels verified "
         f"by eye):\n\n{summary(report)}")
    fill(ROOT / "docs/accuracy.md", "figures", f"{summary(report)}\n\n{curves(report)}")


if __name__ == "__main__":
    main()
