"""The coordinate reader: a small network that reads one rank digit or file letter in a cell at a board's edge.

A board has 96 cells where a label may stand, each 36 x 36 grey pixels: 32 outside, one beside each edge square, and
64 inside, two corners of each edge square. `cell_windows` holds their geometry, which `src/orient.rs` repeats. All
96 cells of a board are one batch, so the network's input is [96, 1, 36, 36] and its output [96, 17] logits: nothing,
`1`..`8`, `a`..`h` (capital letters count as small ones). A label that is turned counts as nothing, so that reading the
cells of a turned board tells which way up the picture is.

Training cells are cut from boards that are drawn here, with labels in text fonts outside, on frames and in corners,
beside other text, pieces, marks and frames. One font in five and the held-out artwork families stay out of training.

    python artwork.py                                  # once
    python coordinates.py render --seed 1 --boards 4000 --out coordinates1.npz
    python coordinates.py render --seed 0 --boards 600 --held-out --out coordinates-held-out.npz
    python coordinates.py train coordinates1.npz ...   # goes on where it was stopped
    python coordinates.py export
"""

import argparse
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import nn
from torch.nn import functional as F

from artwork import ARTWORK, ASSETS, Artwork
from learning import ConvBlock, export, fit, load_weights, standardise

ROOT = Path(__file__).resolve().parent.parent
CLASSES = ".12345678abcdefgh"
CELL = 36  # side of a cell in pixels
OUTSIDE_SPAN = 1.2  # side of a cell beside the board in squares
INSIDE_SPAN = 0.5  # side of a cell in a square's corner in squares
OVERLAP = 0.05  # how far a cell beside the board reaches into it, and a corner cell out of its square
SIDES = ("top", "right", "bottom", "left")
HELD_OUT_FONTS_EVERY = 5
MARGIN = 1.6  # squares drawn around the board
FLOOR = 8.0  # grey levels added to a cell's deviation, so that noise on an empty cell stays small


def cell_windows():
    """The cells as float32 [96, 3]: left, top and side in squares, the board being (0, 0) to (8, 8).

    First the cells outside, 8 a side in the order of SIDES, from left to right or top to bottom; then the corners
    inside, for each side first all 8 squares' left (or upper) corners at that edge, then the right (or lower) ones.
    """
    windows = []
    for side in SIDES:
        for i in range(8):
            along = i + 0.5 - OUTSIDE_SPAN / 2
            near, far = OVERLAP - OUTSIDE_SPAN, 8 - OVERLAP
            left, top = {"top": (along, near), "right": (far, along), "bottom": (along, far), "left": (near, along)}[side]
            windows.append((left, top, OUTSIDE_SPAN))
    for side in SIDES:
        for second in (0, 1):
            for i in range(8):
                along = i + 1 + OVERLAP - INSIDE_SPAN if second else i - OVERLAP
                near, far = -OVERLAP, 8 + OVERLAP - INSIDE_SPAN
                left, top = {"top": (along, near), "right": (far, along), "bottom": (along, far), "left": (near, along)}[
                    side
                ]
                windows.append((left, top, INSIDE_SPAN))
    return np.array(windows, np.float32)


WINDOWS = cell_windows()


def cut_cells(grey, quad):
    """The 96 cells of a board in a grey picture, uint8 [96, 36, 36]; `quad` float32 [4, 2], clockwise from top left.

    Shrinks as `src/rectify.rs` does: from the halved copy that is at most twice as fine, two by two samples a pixel.
    """
    cells = []
    square = float(np.sqrt(cv2.contourArea(quad.astype(np.float32)))) / 8
    for span, windows in ((OUTSIDE_SPAN, WINDOWS[:32]), (INSIDE_SPAN, WINDOWS[32:])):
        pixels, source, shrink = CELL / span, grey, 1.0
        while square * shrink >= 2 * pixels and min(source.shape) >= 32:
            height, width = source.shape[0] // 2 * 2, source.shape[1] // 2 * 2
            source, shrink = cv2.resize(source[:height, :width], (width // 2, height // 2), interpolation=cv2.INTER_AREA), shrink / 2
        fine = 2 if square * shrink > 1.3 * pixels else 1
        for left, top, _ in windows:
            corners = (np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float32) - (left, top)) * pixels * fine
            warp = cv2.getPerspectiveTransform((quad * shrink - 0.5).astype(np.float32), (corners - 0.5).astype(np.float32))
            cell = cv2.warpPerspective(source, warp, (CELL * fine, CELL * fine), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            cells.append(cell if fine == 1 else cv2.resize(cell, (CELL, CELL), interpolation=cv2.INTER_AREA))
    return np.stack(cells)


# Drawing


@lru_cache(maxsize=4096)
def font_of(path, size):
    return ImageFont.truetype(path, size)


def text_mask(text, path, size, slant=0.0):
    """Coverage of a line of text, float32 [height, width] in 0..1, cropped to its ink; `size` is the em in pixels."""
    font = font_of(path, size)
    left, top, right, bottom = font.getbbox(text)
    image = Image.new("L", (max(1, right - left) + size, max(1, bottom - top) + 2))
    ImageDraw.Draw(image).text((size // 2 - left, 1 - top), text, fill=255, font=font)
    mask = np.asarray(image, np.float32) / 255
    if slant:
        shear = np.array([[1, -slant, slant * mask.shape[0] / 2], [0, 1, 0]], np.float32)
        mask = cv2.warpAffine(mask, shear, mask.shape[::-1])
    ink = np.argwhere(mask > 0.05)
    if len(ink) == 0:
        return mask[:1, :1]
    (top, left), (bottom, right) = ink.min(0), ink.max(0) + 1
    return mask[top:bottom, left:right]


def lay(canvas, mask, x, y, grey):
    """Paints `grey` through a mask centred on (x, y), cut at the canvas's edges."""
    height, width = mask.shape
    left, top = round(x - width / 2), round(y - height / 2)
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + width, canvas.shape[1]), min(top + height, canvas.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left]
    canvas[y0:y1, x0:x1] += part * (grey - canvas[y0:y1, x0:x1])


def contrasting(rng, ground, least=45):
    """A grey at least `least` levels from the ground's, mostly much farther."""
    far = 255 if ground < 128 else 0
    if rng.random() < 0.6:
        return far + (ground - far) * rng.uniform(0, 0.25)
    near = ground + np.sign(far - ground) * least
    return rng.uniform(min(near, far), max(near, far))


def tiles(rng, size, printed):
    """The light and the dark square's float32 picture, [size, size] each."""
    light = rng.uniform(170, 255)
    tile = np.full((size, size), light, np.float32)
    if printed and rng.random() < 0.7:
        y, x = np.mgrid[:size, :size].astype(np.float32)
        period = max(2.2, size / rng.uniform(5, 14))
        phase = {0: x + y, 1: x - y, 2: x, 3: y}[int(rng.choice(4, p=[0.6, 0.2, 0.1, 0.1]))]
        wave = 0.5 + 0.5 * np.cos(2 * np.pi * phase / (period * rng.uniform(0.9, 1.4)))
        dark = light - (light - rng.uniform(0, 90)) * np.clip((wave - 1 + rng.uniform(0.25, 0.6)) * 4, 0, 1)
    elif rng.random() < 0.06:  # no shading, lines between the squares
        dark = tile
        tile[0] = tile[:, 0] = light - rng.uniform(30, 150)
    else:
        dark = np.full((size, size), light - rng.uniform(25, 140), np.float32)
    if rng.random() < 0.25:
        dark = dark - 70
    if rng.random() < 0.15:
        tile, dark = tile * 0.5, dark * 0.4
    return tile, np.clip(dark, 0, 255)


def draw_squares_and_pieces(rng, canvas, art, origin, size, printed):
    """Fills the board with squares, marks and pieces of a random position; returns the mean greys (light, dark)."""
    light, dark = tiles(rng, size, printed)
    position = art.positions[rng.integers(len(art.positions))]
    if rng.random() < 0.3:
        position = position[::-1]
    set_number = art.choose_set(rng, printed)
    hatched = rng.choice(art.font_choices) if printed and rng.random() < 0.35 else None
    sprites = {}
    marked = set(rng.integers(0, 64, rng.integers(0, 4))) if rng.random() < 0.4 else set()
    tint = rng.uniform(-60, 60)
    for square in range(64):
        row, column = divmod(square, 8)
        y, x = origin + row * size, origin + column * size
        tile = dark if (row + column) % 2 else light
        label = int(position[square])
        if hatched is not None:
            paper, ink = light.mean(), max(0.0, light.mean() - 220)
            index = label - 1 if label else 12
            key = (index, (row + column) % 2)
            if key not in sprites:
                sprites[key] = cv2.resize(art.hatched[hatched, key[1], index], (size, size), interpolation=cv2.INTER_AREA) / 255.0
            canvas[y : y + size, x : x + size] = paper + (ink - paper) * sprites[key]
            continue
        canvas[y : y + size, x : x + size] = np.clip(tile + tint, 0, 255) if square in marked else tile
        if label:
            if label not in sprites:
                sprite = cv2.resize(art.pieces[set_number, label - 1], (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
                sprites[label] = sprite[..., :3] @ np.float32([0.299, 0.587, 0.114]), sprite[..., 3] / 255
            grey, alpha = sprites[label]
            part = canvas[y : y + size, x : x + size]
            part += alpha * (grey - part)
    return light.mean(), dark.mean()


WORDS = "White to move and wins Black 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 mate in 39 Diagram 24 d4 g6 Black's king +0.7 12:45 Kf8 h4 b5 \
the a rook bishop file rank 8 position after Fig. 17 (5) exd5 cxd4 Rc1 Problem No. 572 London 1851 Re8# e4 c5 1-0 2305 87".split()


def draw_clutter(rng, canvas, side, start, origin, size, path, ground):
    """Draws text, a mark, a bar or another board beside a side of the board, from `start` squares away outwards."""
    field = 8 * size
    kind = rng.choice(["text", "text", "text", "mark", "bar", "grid"])
    grey = contrasting(rng, ground)

    def place(along, away):
        """Pixels of a point `along` the side and `away` from it, both in squares."""
        along = origin + along * size
        out, inn = origin - away * size, origin + field + away * size
        return {"top": (along, out), "bottom": (along, inn), "left": (out, along), "right": (inn, along)}[side]

    if kind == "text":
        em = max(5, round(size * rng.uniform(0.25, 0.8)))
        line = start + rng.uniform(0.1, 0.5) + em / size / 2
        if side in ("top", "bottom"):
            for _ in range(rng.integers(1, 4)):
                text = " ".join(rng.choice(WORDS, rng.integers(1, 12)))
                mask = text_mask(text, path, em)
                lay(canvas, mask, *place(rng.uniform(2, 6), line), grey)
                line += em / size * 1.3
        else:
            spacing = rng.uniform(1.1, 2) * em / size
            for along in np.arange(rng.uniform(-1, 6), 9, spacing)[: rng.integers(1, 20)]:
                mask = text_mask(" ".join(rng.choice(WORDS, rng.integers(1, 4))), path, em)
                lay(canvas, mask, *place(along, line + mask.shape[1] / size / 2 - em / size / 2), grey)
    elif kind == "mark":
        radius = max(2, round(size * rng.uniform(0.12, 0.4)))
        disc = np.zeros((2 * radius + 1,) * 2, np.float32)
        thickness = -1 if rng.random() < 0.5 else max(1, radius // 5)
        if rng.random() < 0.5:
            cv2.circle(disc, (radius, radius), radius - 1, 1, thickness, cv2.LINE_AA)
        else:
            cv2.rectangle(disc, (1, 1), (2 * radius - 1,) * 2, 1, thickness)
        lay(canvas, disc, *place(rng.choice([0.5, 7.5, 4, rng.uniform(0, 8)]), start + 0.1 + radius / size * 1.2), grey)
    else:
        # An evaluation bar, or squares of a neighbouring board or a row of captured pieces.
        width = rng.uniform(0.15, 0.6) if kind == "bar" else 1.0
        gap = start + rng.uniform(0.02, 0.5)
        for i in range(8):
            shade = grey if kind == "bar" and i < 5 or kind == "grid" and i % 2 else 255 - grey
            (x0, y0), (x1, y1) = place(i, gap), place(i + 1, gap + width)
            x0, x1, y0, y1 = *sorted((round(x0), round(x1))), *sorted((round(y0), round(y1)))
            canvas[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = shade


def drawn_board(rng, art, fonts):
    """A board with margins as (grey float32 canvas, quad [4, 2], labels int [96])."""
    size = round(np.exp(rng.uniform(np.log(14), np.log(84))))
    printed = rng.random() < 0.5
    origin, field = round(MARGIN * size), 8 * size
    ground = rng.uniform(195, 255) if printed or rng.random() < 0.4 else rng.uniform(5, 90) if rng.random() < 0.75 else rng.uniform(90, 200)
    canvas = np.full((field + 2 * origin,) * 2, ground, np.float32)
    path = str(fonts[rng.integers(len(fonts))])
    text_path = str(fonts[rng.integers(len(fonts))])
    labels = np.zeros(96, np.int64)
    slant = rng.uniform(0.1, 0.3) if rng.random() < 0.15 else 0.0

    kind = rng.choice(["none", "outside", "frame", "inside"], p=[0.2, 0.42, 0.13, 0.25])
    frame, ground_of_labels = 0.0, ground
    if kind == "frame" or rng.random() < 0.08:
        frame = rng.uniform(0.3, 0.95)
        ground_of_labels = rng.uniform(0, 255)
        band = round(frame * size)
        canvas[origin - band : origin + field + band, origin - band : origin + field + band] = ground_of_labels
    greys = draw_squares_and_pieces(rng, canvas, art, origin, size, printed)
    if rng.random() < 0.6:
        # Frame lines: single, double, close to the board or at the band's outer edge.
        grey = contrasting(rng, ground_of_labels)
        for _ in range(rng.integers(1, 3)):
            away = 0 if rng.random() < 0.6 else rng.uniform(0, 0.2)
            thick = max(1, round(size * rng.uniform(0.01, 0.09)))
            low, high = origin - round(away * size) - thick // 2 - 1, origin + field + round(away * size) + thick // 2
            cv2.rectangle(canvas, (low, low), (high, high), float(grey), thick)

    white_below = rng.random() < 0.6
    files = "abcdefgh" if white_below else "hgfedcba"
    ranks = "87654321" if white_below else "12345678"
    capital = rng.random() < 0.3
    ends = {side: frame for side in SIDES}  # where labels end and other things may begin, in squares

    if kind in ("outside", "frame"):
        height = rng.uniform(0.18, 0.62) if kind == "outside" else rng.uniform(0.3, 0.75) * frame
        em = max(5, round(height * size / 0.7))
        sides = [("left", "bottom"), ("right", "bottom"), ("left", "top"), SIDES, ("left",), ("bottom",), ("left", "right", "bottom")]
        chosen = sides[rng.choice(len(sides), p=[0.5, 0.08, 0.05, 0.25, 0.04, 0.04, 0.04])]
        grey = contrasting(rng, ground_of_labels)
        gap = rng.uniform(0.04, 0.45) if kind == "outside" else (frame - height) / 2
        gap = min(gap, 1.05 - height)
        for side in chosen:
            rises = rng.normal(0, 0.03) if rng.random() < 0.5 else rng.normal(0, 0.12)
            if rng.random() < 0.1:  # at the height of a corner
                rises = rng.uniform(-0.45, 0.45)
            for i in range(8):
                if rng.random() < 0.02:
                    continue
                letter = (files if side in ("top", "bottom") else ranks)[i]
                mask = text_mask(letter.upper() if capital else letter, path, em, slant)
                along = origin + (i + 0.5 + np.clip(rises, -0.45, 0.45)) * size
                away = (gap + height / 2) * size
                x, y = {"top": (along, origin - away), "bottom": (along, origin + field + away),
                        "left": (origin - away, along), "right": (origin + field + away, along)}[side]  # fmt: skip
                if side in ("top", "bottom") and not capital:
                    # Letters stand on one line, digits are all of one height.
                    x_height = font_of(path, em).getbbox("b")
                    y += (x_height[3] - x_height[1] - mask.shape[0]) / 2
                lay(canvas, mask, x, y, grey)
                labels[SIDES.index(side) * 8 + i] = CLASSES.index(letter)
            ends[side] = max(frame, gap + height)
        if kind == "outside" and rng.random() < 0.12:  # a line around board and labels
            away = round((gap + height + rng.uniform(0.05, 0.4)) * size)
            thick = max(1, round(size * rng.uniform(0.01, 0.05)))
            cv2.rectangle(canvas, (origin - away,) * 2, (origin + field + away,) * 2, float(contrasting(rng, ground)), thick)
    elif kind == "inside":
        height = rng.uniform(0.13, 0.3)
        em = max(5, round(height * size / 0.7))
        inset = rng.uniform(0.02, 0.08)
        plain = contrasting(rng, sum(greys) / 2, 60)
        opposite = rng.random() < 0.65
        rank_side, file_side = ("left" if rng.random() < 0.6 else "right"), ("bottom" if rng.random() < 0.92 else "top")
        rank_low, file_right = rng.random() < 0.12, rng.random() < 0.5
        for side, letters, second in ((rank_side, ranks, rank_low), (file_side, files, file_right)):
            if rng.random() < 0.05:
                continue
            for i in range(8):
                row, column = {"left": (i, 0), "right": (i, 7), "top": (0, i), "bottom": (7, i)}[side]
                letter = letters[i]
                mask = text_mask(letter.upper() if capital else letter, path, em, slant)
                if mask.shape[0] > 0.42 * size:
                    continue
                low = second if side in ("left", "right") else side == "bottom"
                right = second if side in ("top", "bottom") else side == "right"
                x = (column + 1 - inset) * size - mask.shape[1] / 2 if right else (column + inset) * size + mask.shape[1] / 2
                y = (row + 1 - inset) * size - mask.shape[0] / 2 if low else (row + inset) * size + mask.shape[0] / 2
                dark = (row + column) % 2
                grey = greys[1 - dark] if opposite else plain
                if abs(grey - greys[dark]) < 18:
                    continue
                lay(canvas, mask, origin + x, origin + y, grey)
                labels[32 + (SIDES.index(side) * 2 + second) * 8 + i] = CLASSES.index(letter)
        # A corner square's corner cell belongs to two edges.
        share_corner_cells(labels)

    for side in SIDES:
        if rng.random() < 0.4:
            draw_clutter(rng, canvas, side, max(ends[side], frame), origin, size, text_path, ground)
    low, high = origin, origin + field
    return canvas, np.array([[low, low], [high, low], [high, high], [low, high]], np.float32), labels


def share_corner_cells(labels):
    """Gives both cells that show the same corner of the board the label that stands there."""
    same = {}
    for number, window in enumerate(WINDOWS[32:].round(3).tolist(), 32):
        same.setdefault(tuple(window), []).append(number)
    for numbers in same.values():
        labels[numbers] = labels[numbers].max()


def spoiled(rng, canvas):
    """The canvas as a screenshot, scan or photo shows it, uint8."""
    grey = canvas
    if rng.random() < 0.4:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.3, 0.9) * max(1, canvas.shape[0] / 600))
    if rng.random() < 0.3:
        height, width = grey.shape
        wave = cv2.resize(rng.normal(0, 1, (4, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        grey = grey + wave * rng.uniform(2, 22)
    if rng.random() < 0.4:
        grey = rng.uniform(0, 70) + grey * rng.uniform(0.45, 0.9)
    if rng.random() < 0.4:
        grey = grey + rng.normal(0, rng.uniform(1, 12), grey.shape)
    grey = np.clip(grey, 0, 255).astype(np.uint8)
    if rng.random() < 0.05:
        grey = np.where(grey > np.median(grey) * rng.uniform(0.6, 0.85), 255, 0).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.uniform(20, 90))
        grey = cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
    return grey


def board_cells(rng, art, fonts):
    """Cells uint8 [96, 36, 36] and labels int [96] of one drawn board."""
    canvas, quad, labels = drawn_board(rng, art, fonts)
    grey = spoiled(rng, canvas)
    square = (quad[1, 0] - quad[0, 0]) / 8
    if rng.random() < 0.3:
        # A board turned and seen at an angle.
        far = quad + rng.normal(0, 0.35, quad.shape).astype(np.float32) * square
        warp = cv2.getPerspectiveTransform(quad, far.astype(np.float32))
        grey = cv2.warpPerspective(grey, warp, grey.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        quad = far
    # Corners are found to within a few hundredths of a square.
    quad = quad + rng.normal(0, rng.choice([0.01, 0.04]), quad.shape) * square
    return cut_cells(grey, quad.astype(np.float32)), labels


def fonts_of(assets, held_out):
    """Text fonts of training, or those kept out of it."""
    paths = sorted(path for path in (assets / "fonts").iterdir() if path.suffix in (".ttf", ".otf"))
    return [path for i, path in enumerate(paths) if (i % HELD_OUT_FONTS_EVERY == 2) == held_out]


def render(arguments):
    """Writes a shard: cells uint8 [n, 36, 36] and labels uint8 [n]; all labels and as many empty cells of each board."""
    art = Artwork(arguments.artwork, "held-out" if arguments.held_out else "training")
    fonts = fonts_of(arguments.assets, arguments.held_out)
    rng = np.random.default_rng([arguments.seed, int(arguments.held_out)])
    cells, labels = [], []
    for number in range(arguments.boards):
        pictures, classes = board_cells(rng, art, fonts)
        keep = classes > 0
        keep[rng.choice(96, 26, replace=False)] = True
        cells.append(pictures[keep])
        labels.append(classes[keep].astype(np.uint8))
        if number % 500 == 499:
            print(f"{number + 1} boards", flush=True)
    np.savez(arguments.out, cells=np.concatenate(cells), labels=np.concatenate(labels))


def sheet(arguments):
    """Writes a picture of boards and one of their cells, to look at."""
    art, rng = Artwork(arguments.artwork), np.random.default_rng(arguments.seed)
    fonts = fonts_of(arguments.assets, False)
    boards = []
    for _ in range(12):
        canvas, _, _ = drawn_board(rng, art, fonts)
        boards.append(cv2.resize(spoiled(rng, canvas), (340, 340), interpolation=cv2.INTER_AREA))
    cv2.imwrite(f"{arguments.out}-boards.png", np.vstack([np.hstack(boards[i : i + 4]) for i in range(0, 12, 4)]))
    rows = []
    while len(rows) < 20:
        cells, labels = board_cells(rng, art, fonts)
        chosen = rng.choice(np.flatnonzero(labels), 24) if labels.any() else rng.choice(96, 24)
        shown = []
        for i in chosen:
            cell = cv2.copyMakeBorder(cells[i], 0, 12, 1, 1, cv2.BORDER_CONSTANT, value=0)
            shown.append(cv2.putText(cell, CLASSES[labels[i]], (12, 45), 0, 0.4, 255, 1))
        rows.append(np.hstack(shown))
    cv2.imwrite(f"{arguments.out}-cells.png", np.vstack(rows))


# The network


class CoordinateReader(nn.Sequential):
    """Cells float32 [n, 1, 36, 36], each standardised for itself with FLOOR, to logits [n, 17]."""

    def __init__(self):
        super().__init__(ConvBlock(1, 24, stride=2, kernel=5), ConvBlock(24, 48, stride=2), ConvBlock(48, 96, stride=2),
                         nn.Flatten(), nn.Linear(96 * 5 * 5, len(CLASSES)))


def turn_some(cells, labels, share=0.12):
    """Turns some cells by one to three quarters and calls them nothing, but for `1` and `8`, which may look the same."""
    chosen = (torch.rand(len(cells)) < share) & (labels != 1) & (labels != 8)
    turns = torch.randint(1, 4, (len(cells),))
    cells, labels = cells.clone(), labels.clone()
    for turn in (1, 2, 3):
        picked = chosen & (turns == turn)
        cells[picked] = torch.rot90(cells[picked], turn, (1, 2))
    labels[chosen] = 0
    return cells, labels


def train(arguments):
    """Trains on shards and writes the weights; goes on where an earlier run with the same weights was stopped."""
    torch.manual_seed(1)
    shards = [np.load(path) for path in arguments.shards]
    cells = torch.from_numpy(np.concatenate([shard["cells"] for shard in shards]))
    labels = torch.from_numpy(np.concatenate([shard["labels"] for shard in shards])).long()
    print(f"{len(cells)} cells, {(labels > 0).sum()} labels", flush=True)
    network = CoordinateReader()

    def batch_loss(_):
        picked = torch.randint(0, len(cells), (256,))
        batch, target = turn_some(cells[picked], labels[picked])
        inverted = torch.rand(len(batch), 1, 1) < 0.15
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bfloat16):
            logits = network(standardise(torch.where(inverted, 255 - batch, batch), FLOOR))
        logits = logits.float()
        loss = F.cross_entropy(logits, target, label_smoothing=0.01)
        return loss, {"loss": loss.item(), "right": (logits.argmax(1) == target).float().mean().item()}

    fit(network, batch_loss, arguments.steps, arguments.weights)


@torch.no_grad()
def figures(network, path):
    """Share of held-out labels read right, read as another label and overlooked, and of empty cells that are misread."""
    shard = np.load(path)
    labels = torch.from_numpy(shard["labels"]).long()
    cells = torch.from_numpy(shard["cells"])
    guesses = torch.cat([network(standardise(part, FLOOR)).argmax(1) for part in cells.split(1024)])
    there = labels > 0
    right = (guesses == labels)[there].float().mean()
    other = ((guesses != labels) & (guesses > 0))[there].float().mean()
    false = (guesses > 0)[~there].float().mean()
    return f"held out: right {right:.4f} other {other:.4f} overlooked {1 - right - other:.4f}, false {false:.4f}"


def export_network(arguments):
    """Writes models/coordinates.onnx with golden values, and prints the held-out figures."""
    network = load_weights(CoordinateReader(), arguments.weights)
    export(network, (96, 1, CELL, CELL), arguments.models / "coordinates.onnx")
    print(figures(network, arguments.held_out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("render", "sheet"):
        command = commands.add_parser(name)
        command.add_argument("--assets", type=Path, default=ASSETS)
        command.add_argument("--artwork", type=Path, default=ARTWORK)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--out", required=True)
        if name == "render":
            command.add_argument("--boards", type=int, default=4000)
            command.add_argument("--held-out", action="store_true", help="fonts and artwork kept out of training")
    command = commands.add_parser("train")
    command.add_argument("shards", nargs="+")
    command.add_argument("--steps", type=int, default=16000)
    command.add_argument("--weights", type=Path, default=Path("coordinates.pt"))
    command.add_argument("--bfloat16", action="store_true", help="twice as fast on processors with AVX-512 BF16")
    command = commands.add_parser("export")
    command.add_argument("--weights", type=Path, default=Path("coordinates.pt"))
    command.add_argument("--held-out", type=Path, default=Path("coordinates-held-out.npz"))
    command.add_argument("--models", type=Path, default=ROOT / "models")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    {"render": render, "sheet": sheet, "train": train, "export": export_network}[arguments.command](arguments)


if __name__ == "__main__":
    main()
