"""Finds the boards of real pictures with the exported locator and refiner and says how well.

    python evaluate_locating.py --corpus ../../shared/corpus --split dev --missed missed.png

A board counts as located when its worst corner coordinate is off by less than 6 % of its side, whichever corner
comes first. A picture may hold boards that nobody labelled (`other_boards`); only pictures without any board count
for false boards.
"""
import argparse
import collections
import json
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from PIL import Image, ImageOps

from geometry import blur, corner_error, quad_of_box, resize, side_of, transform
from locator import FLOOR, decode
from refiner import ROUGH, UNIT, crop

# As in src/locate/: heat from which a peak is looked at; refiner probability from which a quad is a board (low, because the
# square classifier judges again, so that more false boards appear here than in the program); rounds at most, the movement
# that ends them, and the one from which a quad is dropped after the last, as parts of its side.
HEAT, IS_BOARD = 0.25, 0.1
ROUNDS, STILL, SETTLED = 6, 0.005, 0.05
LOCATED = 0.06
SAME_BOARD = 0.3     # centres nearer than this part of the side are one board
FINER = 1.5          # pictures this many times larger than the working side are also looked at in tiles
SMALL_IN_PAGE = 0.2  # boards found in tiles only count when smaller than this part of the page's working side


def session_of(path):
    """A single-threaded ONNX Runtime session."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(session, view, floor):
    """A grey uint8 view -> the network's output without the batch."""
    grey = view.astype(np.float32)
    scaled = (grey - grey.mean()) / (grey.std() + floor)
    return session.run(None, {"input": scaled[None, None]})[0][0]


def scaled_to(grey, side):
    """The picture with its longer side scaled to `side`, and the scale."""
    scale = side / max(grey.shape)
    if scale < 0.7:
        grey = blur(grey, 0.4 / scale)
    return resize(grey, max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale))), scale


def windows(grey, side, tiles):
    """Views [side, side] of a picture: the whole one and, of large ones, tiles of twice the scale.

    Yields (view, scale, origin): a point of the picture is (point of the view - origin) / scale.
    """
    small, scale = scaled_to(grey, side)
    top, left = (side - small.shape[0]) // 2, (side - small.shape[1]) // 2
    view = np.full((side, side), int(np.median(small)), np.uint8)
    view[top:top + small.shape[0], left:left + small.shape[1]] = small
    yield view, scale, np.array([left, top])
    if not tiles or max(grey.shape) < FINER * side:
        return
    fine, scale = scaled_to(grey, 2 * side)
    middle = int(np.median(fine))
    for y in range(0, max(1, fine.shape[0] - side // 2), side // 2):
        for x in range(0, max(1, fine.shape[1] - side // 2), side // 2):
            part = fine[y:y + side, x:x + side]
            view = np.full((side, side), middle, np.uint8)
            view[:part.shape[0], :part.shape[1]] = part
            yield view, scale, np.array([-x, -y])


def refine(session, grey, quad):
    """Moves a rough quad onto the board: (quad, probability of a board, last movement as a part of the side)."""
    for _ in range(ROUNDS):
        view, matrix = crop(grey, quad)
        output = run(session, view, FLOOR)
        quad = transform(ROUGH + output[:8].reshape(4, 2) * UNIT, np.linalg.inv(matrix))
        if not np.isfinite(quad).all() or side_of(quad) < 8:
            return quad, 0.0, 1.0
        moved = float(np.abs(output[:8]).max()) / 10
        if moved < STILL:
            break
    return quad, float(1 / (1 + np.exp(-output[8]))), moved


def find_boards(locator, refiner, grey, tiles=True):
    """Boards of a grey picture: [(heat, probability, quad)], and the rejected ones in the same form."""
    side, found, rejected = locator.get_inputs()[0].shape[-1], [], []
    rough = []
    for number, (view, scale, origin) in enumerate(windows(grey, side, tiles)):
        for heat, quad in decode(run(locator, view, FLOOR), HEAT):
            if number and (side_of(quad) > SMALL_IN_PAGE * 2 * side or quad.min() < -2 or quad.max() > side + 2):
                continue
            rough.append((heat, ((quad - origin) / scale).astype(np.float32)))
    for heat, quad in sorted(rough, key=lambda board: -board[0]):
        near = lambda q: any(np.linalg.norm(q.mean(0) - other.mean(0)) < SAME_BOARD * side_of(other) for *_, other in found)
        if side_of(quad) < 8 or near(quad):
            continue
        quad, probability, moved = refine(refiner, grey, quad)
        if probability >= IS_BOARD and moved < SETTLED:
            if not near(quad):
                found.append((heat, probability, quad))
        else:
            rejected.append((heat, probability, quad))
    return found, rejected


def read_corpus(corpus, split):
    """Yields (entry of the manifest, grey picture upright, true quads) of a split one by one."""
    for line in (corpus / "manifest.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["split"] == split:
            with Image.open(corpus / "pictures" / entry["file"]) as image:
                grey = cv2.cvtColor(np.asarray(ImageOps.exif_transpose(image).convert("RGB")), cv2.COLOR_RGB2GRAY)
            yield entry, grey, [np.array(board["corners"], np.float32) if "corners" in board else
                                quad_of_box(*board["bbox"]) for board in entry["boards"]]


def drawn(entry, grey, true, found, rejected):
    """A picture with true quads in red, found in green, rejected in blue."""
    colour = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    for quads, tint in ((true, (0, 0, 255)), ([q for *_, q in found], (0, 200, 0)), ([q for *_, q in rejected], (255, 80, 0))):
        for quad in quads:
            cv2.polylines(colour, [quad.astype(np.int32)], True, tint, max(1, max(grey.shape) // 200))
    scale = 300 / max(grey.shape)
    colour = cv2.resize(colour, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:300, :300]
    tile = np.full((316, 300, 3), 90, np.uint8)
    tile[:colour.shape[0], :colour.shape[1]] = colour
    cv2.putText(tile, entry["file"][-40:], (2, 311), 0, 0.4, (255, 255, 255), 1)
    return tile


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[1] / "../shared/corpus")
    parser.add_argument("--split", choices=["dev", "calibration"], default="dev")
    parser.add_argument("--locator", type=Path, default=Path("../models/locator.onnx"))
    parser.add_argument("--refiner", type=Path, default=Path("../models/refiner.onnx"))
    parser.add_argument("--no-tiles", action="store_true", help="look at whole pictures only")
    parser.add_argument("--missed", type=Path, help="draw the pictures with missed or false boards here")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    locator, refiner = session_of(arguments.locator), session_of(arguments.refiner)
    groups, alarms, seconds, tiles = collections.defaultdict(list), collections.defaultdict(list), [], []
    for entry, grey, true in read_corpus(arguments.corpus, arguments.split):
        started = time.process_time()
        found, rejected = find_boards(locator, refiner, grey, not arguments.no_tiles)
        seconds.append(time.process_time() - started)
        wrong = []
        if entry["kind"] == "negative":
            alarms["physical boards" if "otb-3d-board" in entry["traits"] else "others"].append(bool(found))
            if found:
                wrong.append("false board, " + ", ".join(f"heat {h:.2f} judge {p:.2f}" for h, p, _ in found))
        for quad in true:
            error = min((corner_error(other, quad) for *_, other in found), default=np.inf)
            second_wave = entry["file"].startswith(("books2/", "shots2/"))
            for name in ("all", entry["kind"], "second wave" if second_wave else "first wave"):
                groups[name].append(error)
            if error >= LOCATED:
                wrong.append(f"missed, nearest off by {error:.3f}, rejected " +
                             ", ".join(f"heat {h:.2f} judge {p:.2f} off {corner_error(q, quad):.3f}" for h, p, q in rejected))
        if not true and entry["kind"] != "negative":
            continue
        if wrong:
            print(entry["file"], entry["kind"], grey.shape[::-1], *wrong, sep="; ")
            tiles.append(drawn(entry, grey, true, found, rejected))
    for name, errors in sorted(groups.items()):
        located = np.array([e for e in errors if e < LOCATED])
        print(f"{name:13} n={len(errors):<4} located {100 * len(located) / len(errors):5.1f} %   worst corner median "
              f"{100 * np.median(located):.2f} %, 90th percentile {100 * np.quantile(located, 0.9):.2f} % of the side")
    for name, flags in sorted(alarms.items()):
        print(f"no board, {name}: {sum(flags)} of {len(flags)} pictures with a false board")
    print(f"processor time a picture: median {np.median(seconds):.3f} s, mean {np.mean(seconds):.3f} s")
    if arguments.missed and tiles:
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 5)
        cv2.imwrite(str(arguments.missed), np.vstack([np.hstack(tiles[i:i + 5]) for i in range(0, len(tiles), 5)]))


if __name__ == "__main__":
    main()
