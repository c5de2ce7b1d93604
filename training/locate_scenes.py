"""Makes grey 512x512 scenes with none, one or many boards on pages, screens and photos, for locator and refiner.

    python locate_scenes.py --artwork artwork --seed 1 --count 5000 --out scenes1

writes `scenes1.npy` (uint8 [N, 512, 512], opened memory-mapped) and `scenes1.npz` (the quads). A scene is a sheet (a
page, a screen or a thing on a table) that boards and things like boards are laid on, seen by a camera.
"""
import argparse
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from artwork import ARTWORK, ASSETS, Artwork
from geometry import blur, homography, quad_of_box, resize, roll_to_top_left, side_of, transform, warp
from render_boards import LUMA, render_board

SIZE = 512
# What a quad of a scene is: BOARD is to be found; UNSURE counts neither way (cut by a little, covered by much, very
# small); OTHER is something like a board that is none.
BOARD, UNSURE, OTHER = 1, 0, 2
SMALLEST = 22              # boards with a smaller side (pixels) are UNSURE
CUT_A_LITTLE, CUT = 0.012, 0.05   # how far a corner may be outside of the picture, as a part of the side
COVERED = 0.25             # covered part from which a board is UNSURE
SYLLABLES = ("ba de lo ra mi tu sen kor ter ing all the of and in to is that with as on be for an or by we not this from "
             "at which have but one his her are all can will more no if out so up said what its about into than them "
             "only other time new some could these two may then do first any my now such like our over man me even "
             "most made after also did many").split()
MOVES = "e4 e5 d4 d5 c4 c5 Nf3 Nc6 Nf6 Bb5 a6 Bc4 Bg5 O-O O-O-O Qd2 Rfe1 Rad8 exd5 Nxd5 h6 g6 b4 Qxf7+ Kh1 Bxh7+ f4".split()


# Text

def random_line(rng):
    """A line of words, of moves, or a caption."""
    kind = rng.random()
    if kind < 0.5:
        words = ["".join(rng.choice(SYLLABLES, rng.integers(1, 4))) for _ in range(16)]
    elif kind < 0.85:
        words = [f"{i // 2 + 1}." * (i % 2 == 0) + rng.choice(MOVES) for i in range(20)]
    else:
        words = [str(rng.integers(1, 400)) + ".", "White", "Black", "to", "move", "mate", "in", "2", "Diagram", "game"]
        rng.shuffle(words)
    return " ".join(words)


def render_lines(rng, assets, fonts=48, lines=10):
    """Ink coverage of lines of text, uint8 [32, ~800] each: a list of lists, one for each font."""
    paths = [path for path in sorted((assets / "fonts").iterdir()) if path.suffix in (".ttf", ".otf")]
    rendered = []
    for path in paths[:fonts]:
        font, group = ImageFont.truetype(str(path), 24), []
        for _ in range(lines):
            text = random_line(rng)
            image = Image.new("L", (int(font.getlength(text)) + 4, 32))
            ImageDraw.Draw(image).text((2, 24), text, fill=255, font=font, anchor="ls")
            group.append(np.asarray(image))
        rendered.append(group)
    return rendered


def write(rng, canvas, lines, x, y, width, height, ink, length=None):
    """Writes one line of text of `height` pixels at (x, y), at most `width` wide, in `ink`; outside parts are left."""
    line = lines[rng.integers(len(lines))]
    wide = min(line.shape[1], int(width * 32 / height), line.shape[1] if length is None else int(length * 32))
    if wide < 1:
        return
    start = int(rng.integers(0, line.shape[1] - wide + 1)) if rng.random() < 0.5 else 0
    mask = resize(line[:, start:start + wide], max(1, int(wide * height / 32)), max(1, int(height)))
    x, y = int(x), int(y)
    left, top = max(0, -x), max(0, -y)
    mask = mask[top:max(0, canvas.shape[0] - y), left:max(0, canvas.shape[1] - x)]
    if mask.size:
        part = canvas[y + top:y + top + mask.shape[0], x + left:x + left + mask.shape[1]]
        part[:] = (part + (ink - part.astype(np.float32)) * (mask / 255)).astype(np.uint8)


# Sheets

class Sheet:
    """A grey canvas with the quads laid on it and what each of them is."""

    def __init__(self, grey):
        self.grey = np.ascontiguousarray(grey)
        self.quads, self.kinds = [], []

    @property
    def width(self):
        return self.grey.shape[1]

    @property
    def height(self):
        return self.grey.shape[0]

    def add(self, quad, kind):
        self.quads.append(np.asarray(quad, np.float32))
        self.kinds.append(kind)

    def lay(self, thing, box):
        """Lays a Thing into the box (left, top, width, height), scaled; parts outside of the sheet are cut."""
        left, top, width, height = (int(round(v)) for v in box)
        if width < 4 or height < 4:
            return
        picture = resize(thing.grey, width, height)
        l, t = max(0, left), max(0, top)
        r, b = min(self.width, left + width), min(self.height, top + height)
        if r <= l or b <= t:
            return
        self.grey[t:b, l:r] = picture[t - top:b - top, l - left:r - left]
        scale = np.array([width / thing.grey.shape[1], height / thing.grey.shape[0]])
        if thing.kind is None:
            return
        quad = thing.quad * scale + [left, top]
        cut = max(-quad.min(), (quad - [self.width, self.height]).max()) / side_of(quad)
        if cut < CUT:
            self.add(quad, thing.kind if cut < CUT_A_LITTLE or thing.kind == OTHER else UNSURE)

    def cover(self, mask):
        """Takes note that the pixels of `mask` (bool [H, W]) are covered by something."""
        mask = mask.astype(np.uint8)
        for i, quad in enumerate(self.quads):
            if self.kinds[i] == BOARD:
                left, top = np.maximum(np.floor(quad.min(0)).astype(int), 0)
                right, bottom = np.ceil(quad.max(0)).astype(int)
                if mask[top:bottom, left:right].mean() > COVERED:
                    self.kinds[i] = UNSURE


class Thing:
    """A picture to lay on a sheet: grey, the quad in it, and what it is (None: nothing worth noting)."""

    def __init__(self, grey, quad=None, kind=None):
        self.grey, self.kind = grey, kind
        height, width = grey.shape
        self.quad = quad_of_box(0, 0, width, height) if quad is None else np.asarray(quad, np.float32)


def grown(thing, left, top, right, bottom, value):
    """The Thing with a border of one grey."""
    grey = cv2.copyMakeBorder(thing.grey, top, bottom, left, right, cv2.BORDER_CONSTANT, value=int(value))
    return Thing(grey, thing.quad + [left, top], thing.kind)


def trimmed(thing, left, top, right, bottom):
    """The Thing without that many pixels at its edges."""
    height, width = thing.grey.shape
    return Thing(thing.grey[top:height - bottom, left:width - right], thing.quad - [left, top], thing.kind)


# Boards, with frames of many kinds

def field_of(thing, extra=0):
    """The Thing cut to its upright field and `extra` pixels."""
    left, top = np.floor(thing.quad[0] - extra).astype(int)
    right, bottom = np.ceil(thing.quad[2] + extra).astype(int)
    height, width = thing.grey.shape
    return trimmed(thing, max(0, left), max(0, top), max(0, width - right), max(0, height - bottom))


def framed(rng, thing, lines):
    """The bare field in a frame: thin or thick, single or double, wide with coordinates, rounded or with a shadow."""
    side = thing.grey.shape[0]
    border = lambda low, high: max(1, int(side * rng.uniform(low, high)))
    paper = rng.integers(0, 256) if rng.random() < 0.3 else rng.integers(200, 256)
    ink = rng.integers(0, 90) if paper > 128 else rng.integers(150, 256)
    kind = rng.random()
    if kind < 0.2:
        return grown(thing, *[border(0.002, 0.012)] * 4, ink)
    if kind < 0.5:                                   # double: gap and outer line, as old books have
        if rng.random() < 0.7:
            thing = grown(thing, *[border(0.002, 0.008)] * 4, ink)
        thing = grown(thing, *[border(0.004, 0.045)] * 4, paper)
        thing = grown(thing, *[border(0.003, 0.035)] * 4, ink)
        if rng.random() < 0.25:
            thing = grown(grown(thing, *[border(0.004, 0.02)] * 4, paper), *[border(0.002, 0.01)] * 4, ink)
        return thing
    if kind < 0.65:                                  # one thick frame, perhaps lighter or darker on two sides
        thick = border(0.015, 0.06)
        thing = grown(thing, thick, thick, thick, thick, rng.integers(0, 256))
        if rng.random() < 0.3:
            thing.grey[:thick] = thing.grey[:, :thick] = rng.integers(0, 256)
        return thing
    wide = border(0.03, 0.12)                        # a wide border with coordinates, on two or four sides
    wood = rng.integers(0, 256) if rng.random() < 0.7 else paper
    ink = rng.integers(0, 110) if wood > 128 else rng.integers(150, 256)
    if rng.random() < 0.5:
        thing = grown(thing, *[border(0.002, 0.01)] * 4, ink)
    sides = [wide] * 4 if rng.random() < 0.6 else [wide, 0, 0, wide]
    thing = grown(thing, *sides, wood)
    (left, top), (right, bottom) = thing.quad[0], thing.quad[2]
    square, font, scale = (right - left) / 8, cv2.FONT_HERSHEY_SIMPLEX, wide / 40
    for i in range(8):
        x, y = int(left + (i + 0.35) * square), int(top + (i + 0.65) * square)
        for draw, text, at in ((sides[0], "87654321"[i], (int(wide * 0.25), y)),
                               (sides[3], "abcdefgh"[i], (x, thing.grey.shape[0] - int(wide * 0.25))),
                               (sides[2], "87654321"[i], (thing.grey.shape[1] - int(wide * 0.75), y)),
                               (sides[1], "abcdefgh"[i], (x, int(wide * 0.75)))):
            if draw:
                cv2.putText(thing.grey, text, at, font, scale, int(ink), max(1, round(scale * 1.5)), cv2.LINE_AA)
    return grown(thing, *[border(0.002, 0.01)] * 4, ink) if rng.random() < 0.5 else thing


def random_board(rng, pool, lines):
    """A board with the rendered surroundings, or bare, or in a frame of ours; some are a little oblong."""
    thing = pool[rng.integers(len(pool))]
    kind = rng.random()
    if kind < 0.3:
        margin = int(min(thing.quad[0]))
        if margin > 0 and rng.random() < 0.5:
            thing = trimmed(thing, *[int(rng.integers(0, margin + 1))] * 4)
    elif kind < 0.5:
        thing = field_of(thing, extra=int(rng.integers(0, 3)))
    else:
        thing = framed(rng, field_of(thing), lines)
    if rng.random() < 0.1:
        height, width = thing.grey.shape
        stretch = rng.uniform(0.9, 1.1)
        thing = Thing(resize(thing.grey, int(width * stretch), height), thing.quad * [int(width * stretch) / width, 1],
                      thing.kind)
    return thing


def part_of_board(rng, pool):
    """A board with at least one rank or file cut off, which is no board to read."""
    thing = field_of(pool[rng.integers(len(pool))])
    square = thing.grey.shape[0] / 8
    if rng.random() < 0.5:
        keep = int(square * (rng.integers(2, 8)))
        grey = thing.grey[:keep] if rng.random() < 0.5 else thing.grey[-keep:]
    else:
        keep, keep2 = (int(square * rng.integers(2, 9)) for _ in range(2))
        keep = min(keep, int(square * 7))
        grey = thing.grey[:keep2, :keep] if rng.random() < 0.5 else thing.grey[-keep2:, -keep:]
    return Thing(grey, kind=OTHER)


# Things like boards that are none

def chequer(rng, rows, columns, square, hatched=None):
    """A chequered field uint8 [rows * square, columns * square], flat or with hatched dark squares."""
    light, dark = sorted(rng.integers(0, 256, 2))[::-1]
    light = min(255, max(light, dark + 40))
    pattern = np.kron(np.indices((rows, columns)).sum(0) % 2, np.ones((square, square))) > 0
    grey = np.where(pattern, dark, light).astype(np.uint8)
    if (rng.random() < 0.3) if hatched is None else hatched:
        y, x = np.indices(grey.shape)
        step = rng.integers(3, 7)
        grey[pattern & ((x + rng.choice([-1, 1]) * y) % step >= rng.integers(1, 3))] = light
    return grey


def disc(rng, grey, x, y, radius, value, rim):
    """A draughtsman, go stone or reversi disc."""
    centre = (int(x), int(y))
    cv2.circle(grey, centre, int(radius), int(value), -1, cv2.LINE_AA)
    cv2.circle(grey, centre, int(radius), int(rim), max(1, int(radius * 0.12)), cv2.LINE_AA)
    for part in (0.75, 0.5) if rng.random() < 0.5 else ():
        cv2.circle(grey, centre, int(radius * part), int(rim), 1, cv2.LINE_AA)


def draughts(rng, pool):
    """A draughts board: 8x8 or 10x10, discs on the dark squares, often in their starting rows."""
    count, square = (8, 48) if rng.random() < 0.65 else (rng.choice([10, 12]), 40)
    if count == 8 and rng.random() < 0.6:
        grey = empty_board(rng, pool)
    else:
        grey = chequer(rng, count, count, square)
    square = grey.shape[0] / count
    parity = rng.integers(2)
    start, density = rng.random() < 0.4, rng.uniform(0.1, 0.7)
    white, black = rng.integers(170, 256), rng.integers(0, 110)
    crown = rng.random() < 0.3
    for row, column in np.ndindex(count, count):
        if (row + column) % 2 != parity and rng.random() > 0.02:
            continue
        top = row < count / 2
        if (row < count / 2 - 1 or row > count / 2) if start else rng.random() < density:
            first = top if start or rng.random() < 0.6 else rng.random() < 0.5
            value, rim = (black, white) if first else (white, black)
            x, y = (column + 0.5) * square, (row + 0.5) * square
            disc(rng, grey, x, y, square * rng.uniform(0.36, 0.44), value, rim)
            if crown and rng.random() < 0.2:
                cv2.putText(grey, "K", (int(x - square * .15), int(y + square * .15)), 0, square / 60, int(rim), 2)
    return Thing(grey, kind=OTHER)


def empty_board(rng, pool):
    """The field of a rendered board with its pieces painted over by an empty square of the same colour."""
    grey = field_of(pool[rng.integers(len(pool))]).grey
    side = grey.shape[0] // 8 * 8
    grey = resize(grey, side, side)
    squares = grey.reshape(8, side // 8, 8, side // 8).transpose(0, 2, 1, 3)
    spread = squares[:, :, 4:-4, 4:-4].astype(np.float32).std((2, 3))
    tiles = []
    for parity in (0, 1):
        rows, columns = np.nonzero(np.indices((8, 8)).sum(0) % 2 == parity)
        plainest = spread[rows, columns].argmin()
        tiles.append(squares[rows[plainest], columns[plainest]])
    return np.block([[tiles[(row + column) % 2] for column in range(8)] for row in range(8)]).astype(np.uint8)


def lines_grid(rng, rows, columns, square, paper, ink, thick=1):
    """Ruled lines: (rows, columns) cells."""
    grey = np.full((rows * square + thick, columns * square + thick), paper, np.uint8)
    for i in range(rows + 1):
        grey[i * square:i * square + thick] = ink
    for i in range(columns + 1):
        grey[:, i * square:i * square + thick] = ink
    return grey


def grid_game(rng, lines):
    """Crossword, sudoku, go, shogi, xiangqi, reversi, bingo, calendar or number square."""
    paper, ink = (rng.integers(180, 256), rng.integers(0, 80)) if rng.random() < 0.8 else (rng.integers(0, 80), rng.integers(150, 256))
    kind = rng.choice(["crossword", "letters", "go", "reversi", "heat", "calendar"])
    rows = int(rng.choice([4, 5, 6, 7, 8, 8, 8, 9, 9, 10, 13, 15]))
    columns = rows if rng.random() < 0.7 else int(rng.integers(4, 14))
    square = int(rng.integers(18, 44))
    if kind == "heat":
        cells = rng.integers(0, 256, (rows, columns)) if rng.random() < 0.5 else \
            np.add.outer(np.linspace(0, 120, rows), np.linspace(0, 120, columns)) + rng.integers(0, 16, (rows, columns))
        grey = np.kron(cells, np.ones((square, square))).astype(np.uint8)
        fill = 0.8
    else:
        grey = lines_grid(rng, rows, columns, square, paper, ink, int(rng.integers(1, 4)))
        fill = rng.uniform(0.2, 1)
    group = lines[rng.integers(len(lines))]
    for row, column in np.ndindex(rows, columns):
        y, x = row * square, column * square
        if kind == "crossword" and rng.random() < 0.25:
            grey[y:y + square, x:x + square] = ink
        elif kind == "reversi" and rng.random() < fill:
            disc(rng, grey, x + square / 2, y + square / 2, square * 0.42, *rng.permutation([ink, paper]))
        elif kind == "go":
            if rng.random() < fill * 0.6:
                disc(rng, grey, x, y, square * 0.47, *rng.permutation([ink, paper]))
        elif kind in ("letters", "calendar", "heat") and rng.random() < fill:
            write(rng, grey, group, x + square * 0.2, y + square * 0.15, square * 0.7, square * rng.uniform(0.4, 0.8),
                  ink, length=rng.uniform(0.4, 0.9))
    if kind == "letters" and rng.random() < 0.5 and rows == columns == 9:
        for i in range(0, 10, 3):
            grey[max(0, i * square - 1):i * square + 2] = grey[:, max(0, i * square - 1):i * square + 2] = ink
    return Thing(grey, kind=OTHER)


def pattern(rng, pool, photos):
    """Tablecloth, tiles, patchwork: chequers of other sizes and squares of many textures."""
    kind = rng.random()
    if kind < 0.3:
        rows, columns = rng.integers(3, 20, 2)
        if rows == columns == 8:
            rows = 9
        return Thing(chequer(rng, rows, columns, int(rng.integers(8, 40))), kind=OTHER)
    if kind < 0.65:                                  # patchwork
        rows = int(rng.integers(4, 11))
        columns = rows if rng.random() < 0.6 else int(rng.integers(3, 11))
        square, kinds = 40, int(rng.integers(2, 9))
        patches = []
        for _ in range(kinds):
            if rng.random() < 0.5:
                patches.append(photo_crop(rng, photos, square, square))
            else:
                patches.append(blur(rng.integers(0, 256, (square, square)).astype(np.uint8), rng.uniform(0.5, 4)))
            if rng.random() < 0.5:
                patches[-1] = np.clip(patches[-1] * rng.uniform(0.2, 0.8) + rng.uniform(0, 150), 0, 255).astype(np.uint8)
        regular = rng.random() < 0.5
        return Thing(np.block([[patches[(r + c) % kinds if regular else rng.integers(kinds)] for c in range(columns)]
                               for r in range(rows)]).astype(np.uint8), kind=OTHER)
    if kind < 0.8:                                   # gingham
        count, square = int(rng.integers(4, 12)), 30
        wave = (np.arange(count * square) // square % 2) * rng.integers(60, 120)
        return Thing((255 - np.add.outer(wave, wave)).clip(0, 255).astype(np.uint8), kind=OTHER)
    count = int(rng.integers(2, 7))                  # icons or thumbnails in rows
    grey = np.full((count * 60, count * 60), rng.integers(0, 256), np.uint8)
    for row, column in np.ndindex(count, count):
        grey[row * 60 + 6:row * 60 + 54, column * 60 + 6:column * 60 + 54] = photo_crop(rng, photos, 48, 48)
    return Thing(grey, kind=OTHER)


def physical_board(rng, pool, photos):
    """A board with standing pieces seen at a slant: turned solids that rise above their squares."""
    grey = empty_board(rng, pool)
    thing = framed(rng, Thing(grey), None) if rng.random() < 0.8 else Thing(grey)
    side, size = thing.grey.shape[0], 420
    lean, narrow, angle = rng.uniform(0.35, 0.9), rng.uniform(0.55, 0.95), np.radians(rng.uniform(-45, 45))
    base = quad_of_box(-0.5, -0.5, 0.5, 0.5) @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    depth = 1 + (narrow - 1) * (0.5 - base[:, 1:2])
    quad = base * depth * [1, lean] * size * 0.8 + [size / 2, size * 0.56]
    matrix = homography(quad_of_box(0, 0, thing.grey.shape[1], side), quad)
    table = photo_crop(rng, photos, size, size)
    mask = warp(np.full_like(thing.grey, 255), matrix, (size, size)) / 255
    picture = (warp(thing.grey, matrix, (size, size)) * mask + table * (1 - mask)).astype(np.uint8)
    field, density = thing.quad, rng.uniform(0.2, 0.6)
    start = rng.random() < 0.4
    white, black = rng.integers(150, 256), rng.integers(0, 100)
    places = []
    for row, column in np.ndindex(8, 8):
        if (row in (0, 1, 6, 7)) if start else rng.random() < density:
            share = np.array([(column + 0.5) / 8, (row + 0.5) / 8])
            places.append((transform(field[0] + share * (field[2] - field[0]), matrix), row < 4, row in (0, 7)))
    width = side_of(quad) / 8
    for (x, y), first, tall in sorted(places, key=lambda place: place[0][1]):
        value = black if first else white
        height = width * (rng.uniform(1.3, 2.1) if tall else rng.uniform(0.8, 1.3))
        shine = min(255, int(value * 1.2) + 25)
        foot = width * 0.34
        for part, radius in ((0.0, 1.0), (0.12, 0.9), (0.3, 0.5), (0.5, 0.42), (0.68, 0.5), (0.85, 0.55), (1.0, 0.3)):
            centre = (int(x), int(y - part * height * (1.1 - 0.5 * lean)))
            cv2.ellipse(picture, centre, (max(1, int(foot * radius)), max(1, int(foot * radius * 0.75))), 0, 0, 360,
                        int(value * (0.75 + 0.3 * part)) if value < 200 else int(value), -1, cv2.LINE_AA)
            cv2.ellipse(picture, (centre[0] - int(foot * 0.25), centre[1]), (max(1, int(foot * radius * 0.25)),) * 2, 0, 0,
                        360, shine, -1, cv2.LINE_AA)
    return Thing(picture, quad, OTHER)


def random_other(rng, pool, assets):
    """Something like a board that is none."""
    kind = rng.random()
    if kind < 0.3:
        thing = draughts(rng, pool)
    elif kind < 0.5:
        thing = grid_game(rng, assets.lines)
    elif kind < 0.66:
        thing = pattern(rng, pool, assets.photos)
    elif kind < 0.78:
        thing = physical_board(rng, pool, assets.photos)
    elif kind < 0.9:
        thing = part_of_board(rng, pool)
    else:
        page = assets.gridlike[rng.integers(len(assets.gridlike))]
        height, width = page.shape
        side = int(min(height, width) * rng.uniform(0.25, 0.9))
        y, x = rng.integers(0, height - side + 1), rng.integers(0, width - side + 1)
        return Thing(page[y:y + side, x:x + side], kind=OTHER)
    return framed(rng, thing, assets.lines) if thing.quad[0].max() < 1 and rng.random() < 0.4 else thing


# Backgrounds

class Assets:
    """Photos, pages of other games and screens in grey, and lines of text in many fonts."""

    def __init__(self, folder, rng):
        folder = Path(folder)
        read = lambda kind: [shrunk(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE))
                             for path in sorted((folder / "backgrounds" / kind).glob("*.jpg"))]
        self.photos, self.gridlike = read("photos"), read("gridlike")
        self.textpages, self.screens = read("textpages"), read("ui")
        self.lines = render_lines(rng, folder)


def shrunk(grey, longest=1100):
    """The picture with its longer side at most `longest`."""
    scale = min(1, longest / max(grey.shape))
    return resize(grey, int(grey.shape[1] * scale), int(grey.shape[0] * scale)) if scale < 1 else grey


def crop_to(rng, grey, width, height):
    """A random part of a picture with the wanted proportions, scaled to (width, height)."""
    scale = min(grey.shape[1] / width, grey.shape[0] / height) * rng.uniform(0.35, 1)
    w, h = max(2, int(width * scale)), max(2, int(height * scale))
    y, x = rng.integers(0, grey.shape[0] - h + 1), rng.integers(0, grey.shape[1] - w + 1)
    return resize(grey[y:y + h, x:x + w], width, height)


def photo_crop(rng, photos, width, height):
    """A random part of a random photo."""
    return crop_to(rng, photos[rng.integers(len(photos))], width, height)


def background(rng, assets, width, height):
    """Flat, graded, a photo, a screen or a texture."""
    kind = rng.random()
    if kind < 0.3:
        return np.full((height, width), rng.choice([0, 255, rng.integers(0, 256), rng.integers(0, 60)]), np.uint8)
    if kind < 0.4:
        ramp = np.add.outer(np.linspace(0, rng.uniform(-90, 90), height), np.linspace(0, rng.uniform(-90, 90), width))
        return np.clip(ramp + rng.integers(30, 226), 0, 255).astype(np.uint8)
    source = assets.photos if kind < 0.85 else assets.screens
    return crop_to(rng, source[rng.integers(len(source))], width, height)


# Kinds of sheets

def board_box(rng, thing, x, y, width):
    """The box for a Thing of the given width at (x, y)."""
    return x, y, width, width * thing.grey.shape[0] / thing.grey.shape[1]


def page_sheet(rng, pool, assets):
    """A page: one to three columns of text, headings, captions and boards, or a grid of 1 to 16 boards."""
    width = int(rng.integers(420, 900))
    height = int(width * rng.choice([1.41, 1.3, 1.0, 0.75, 0.6], p=[0.4, 0.2, 0.15, 0.15, 0.1]) * rng.uniform(0.95, 1.05))
    dark = rng.random() < 0.08
    paper = rng.integers(10, 60) if dark else (255 if rng.random() < 0.3 else rng.integers(190, 256))
    ink = rng.integers(160, 256) if dark else rng.integers(0, 90)
    sheet = Sheet(np.full((height, width), paper, np.uint8))
    lines = assets.lines[rng.integers(len(assets.lines))]
    size = int(np.clip(width * rng.uniform(0.012, 0.03), 6, 24))
    leading = size * rng.uniform(1.0, 1.5)
    margin = width * rng.uniform(0.02, 0.12)
    same_theme = rng.random() < 0.7                     # a book's boards look alike
    theme = pool[rng.integers(len(pool))]
    state = rng.bit_generator.state

    def board():
        if rng.random() < 0.06:
            return random_other(rng, pool, assets)
        if not same_theme:
            return random_board(rng, pool, assets.lines)
        again = np.random.default_rng(state["state"]["state"] % 2**63)
        return random_board(again, [theme], assets.lines)

    if rng.random() < 0.4:                              # exercises in rows and columns
        rows, columns = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (3, 2), (4, 2), (3, 3), (4, 3), (4, 4), (2, 3)][rng.integers(11)]
        cell_w, cell_h = (width - 2 * margin) / columns, (height - 2 * margin) / rows
        side = min(cell_w, cell_h) * (rng.uniform(0.93, 1.0) if rng.random() < 0.2 else rng.uniform(0.5, 0.92))
        caption = rng.random() < 0.7
        for row, column in np.ndindex(rows, columns):
            if rng.random() < 0.04:
                continue
            x, y = margin + (column + 0.5) * cell_w - side / 2, margin + row * cell_h + (cell_h - side) * 0.5
            thing = board()
            same_size = board_box(rng, thing, x, y, side)
            if caption:
                write(rng, sheet.grey, lines, x, y - size * 1.2, side, size, ink, length=rng.uniform(1, 9))
                for line in range(rng.integers(0, 4)):
                    write(rng, sheet.grey, lines, x, y + same_size[3] + line * leading + 2, side, size, ink)
            sheet.lay(thing, same_size)
        if rng.random() < 0.3:
            cv2.line(sheet.grey, (width // 2, int(margin)), (width // 2, int(height - margin)), int(ink), 1)
        return sheet
    columns = rng.integers(1, 4)
    gap = width * 0.03
    column_w = (width - 2 * margin - gap * (columns - 1)) / columns
    chance, part = rng.uniform(0.02, 0.5), rng.uniform(0.35, 1.0)
    for column in range(columns):
        x, y = margin + column * (column_w + gap), margin * rng.uniform(0.5, 1)
        while y < height - margin:
            if rng.random() < chance:
                thing = board()
                box = board_box(rng, thing, x + column_w * (1 - part) * rng.choice([0, 0.5, 1]), y, column_w * part)
                if y + box[3] > height - margin * 0.5 and rng.random() < 0.9:
                    break
                if part < 0.6 and rng.random() < 0.3:      # text runs beside the board
                    left = x if box[0] > x + column_w * 0.3 else box[0] + box[2] + 4
                    for line in range(int(box[3] / leading)):
                        write(rng, sheet.grey, lines, left, y + line * leading, column_w - box[2] - 6, size, ink)
                sheet.lay(thing, box)
                y += box[3] + leading * rng.uniform(0.2, 1.5)
            if rng.random() < 0.15:
                write(rng, sheet.grey, lines, x, y, column_w, size * 1.4, ink, length=rng.uniform(2, 9))
                y += leading * 2
            for line in range(rng.integers(1, 9)):
                if y < height - margin:
                    write(rng, sheet.grey, lines, x + size * (line == 0), y, column_w - size, size, ink)
                    y += leading
            y += leading * rng.uniform(0, 1)
    return sheet


def round_box(grey, x, y, width, height, value):
    """A filled box with round corners."""
    x, y, width, height = int(x), int(y), int(width), int(height)
    radius = max(1, min(width, height, 24) // 4)
    cv2.rectangle(grey, (x + radius, y), (x + width - radius, y + height), int(value), -1)
    cv2.rectangle(grey, (x, y + radius), (x + width, y + height - radius), int(value), -1)
    for corner in ((x + radius, y + radius), (x + width - radius, y + radius), (x + radius, y + height - radius),
                   (x + width - radius, y + height - radius)):
        cv2.circle(grey, corner, radius, int(value), -1, cv2.LINE_AA)


def panel(rng, grey, assets, x, y, width, height, back):
    """Fills a box with what stands beside boards in apps: moves, buttons, clocks, tables, faces, messages."""
    lines = assets.lines[rng.integers(len(assets.lines))]
    ink = rng.integers(120, 256) if back < 128 else rng.integers(0, 120)
    size = int(rng.integers(7, 18))
    down, bottom = y + 4, y + height - size
    while down < bottom:
        kind = rng.random()
        if kind < 0.55:
            for _ in range(rng.integers(1, 8)):
                if down < bottom:
                    write(rng, grey, lines, x + 4, down, width - 8, size, ink, length=rng.uniform(1, 30))
                    down += size * 1.3
        elif kind < 0.75:
            tall = size * rng.uniform(1.5, 3)
            round_box(grey, x + 3, down, max(4, width * rng.uniform(0.3, 1) - 6), min(tall, bottom - down + size - 2),
                      rng.integers(0, 256))
            write(rng, grey, lines, x + 8, down + tall / 4, width - 12, size, rng.integers(0, 256), length=4)
            down += tall + 4
        elif kind < 0.87 and width > 24:
            face = int(min(width * 0.4, rng.integers(16, 70), bottom + size - down, grey.shape[1] - x - 5))
            if face > 6:
                part = grey[int(down):int(down) + face, int(x) + 4:int(x) + 4 + face]
                part[:] = photo_crop(rng, assets.photos, part.shape[1], part.shape[0])
            down += max(face, 0) + 5
        else:
            down += size * rng.uniform(0.5, 4)


def screen_sheet(rng, pool, assets):
    """A screenshot: browser, app or phone, light or dark, with one board, sometimes more, and panels around."""
    phone = rng.random() < 0.35
    width = int(rng.integers(300, 480)) if phone else int(rng.integers(560, 1100))
    height = int(width * (rng.uniform(1.3, 2.2) if phone else rng.uniform(0.5, 0.8)))
    dark = rng.random() < 0.55
    back = rng.integers(0, 70) if dark else rng.integers(190, 256)
    grey = np.full((height, width), back, np.uint8)
    if rng.random() < 0.15:
        grey = background(rng, assets, width, height)
    sheet = Sheet(grey)
    lines = assets.lines[rng.integers(len(assets.lines))]
    bar = int(rng.integers(0, 40))
    if bar > 6:
        grey = sheet.grey
        grey[:bar] = rng.integers(0, 256)
        write(rng, grey, lines, rng.integers(0, width // 2), bar * 0.2, width * 0.6, max(5, bar * 0.5), rng.integers(0, 256), length=20)
    if phone:
        side = width * (1.0 if rng.random() < 0.5 else rng.uniform(0.75, 0.99))
        left, top = (width - side) / 2, rng.uniform(bar, max(bar + 1, height - side))
        panel(rng, sheet.grey, assets, 0, bar, width, top - bar, back)
        panel(rng, sheet.grey, assets, 0, top + side, width, height - top - side, back)
        boxes = [(left, top, side)]
    else:
        room = height - bar
        side = room * (rng.uniform(0.94, 1.0) if rng.random() < 0.25 else rng.uniform(0.35, 0.94))
        left = rng.uniform(0, 0.25) * width if rng.random() < 0.7 else rng.uniform(0, max(1, width - side))
        top = bar + rng.uniform(0, max(1, room - side))
        boxes = [(left, top, side)]
        edge = left + side * 1.06
        if width - edge > 30:
            wide = width - edge
            if rng.random() < 0.2:
                second = min(wide, room) * rng.uniform(0.4, 0.98)
                boxes.append((edge + rng.uniform(0, max(1, wide - second)), bar + rng.uniform(0, max(1, room - second)), second))
            else:
                shade = int(np.clip(int(back) + rng.integers(-30, 31), 0, 255))
                if rng.random() < 0.5:
                    sheet.grey[int(top):int(top + side), int(edge):int(edge + wide * rng.uniform(0.4, 1))] = shade
                for part in range(rng.integers(1, 3)):
                    panel(rng, sheet.grey, assets, edge + part * wide / 2, bar + 3, wide / 2 - 4, room - 4, shade)
        if left > 40:
            panel(rng, sheet.grey, assets, 0, bar, left * 0.9, room, back)
        panel(rng, sheet.grey, assets, left, bar, side, top - bar, back)
        panel(rng, sheet.grey, assets, left, top + side * 1.06, side, height - top - side * 1.06, back)
    for left, top, side in boxes:
        kind = rng.random()
        if kind < 0.88:
            thing = random_board(rng, pool, assets.lines)
        elif kind < 0.97:
            thing = random_other(rng, pool, assets)
        else:
            continue
        stretch = min(1, thing.grey.shape[1] / thing.grey.shape[0])
        if rng.random() < 0.15:                          # a shadow or glow round the board
            edge = int(side * 0.03) + 1
            shade = np.zeros_like(sheet.grey)
            cv2.rectangle(shade, (int(left), int(top)), (int(left + side), int(top + side)), 255, -1)
            opacity = blur(shade, edge) / 255 * rng.uniform(0.3, 0.9)
            sheet.grey = (sheet.grey * (1 - opacity) + rng.choice([0, 0, 255]) * opacity).astype(np.uint8)
        sheet.lay(thing, board_box(rng, thing, left, top, side * stretch))
    if rng.random() < 0.22:
        overlay(rng, sheet, assets)
    return sheet


def overlay(rng, sheet, assets):
    """A dialog or message, or a line from edge to edge, over the sheet."""
    if rng.random() < 0.3:
        tone, thick = int(rng.integers(0, 256)), int(rng.integers(1, 9))
        if rng.random() < 0.5:
            start, end = (int(rng.uniform(0, sheet.width)), 0), (int(rng.uniform(0, sheet.width)), sheet.height)
        else:
            start, end = (0, int(rng.uniform(0, sheet.height))), (sheet.width, int(rng.uniform(0, sheet.height)))
        if rng.random() < 0.7:                           # upright or level: the edge of a window, a scanner's streak
            end = (start[0], sheet.height) if start[1] == 0 else (sheet.width, start[1])
        cv2.line(sheet.grey, start, end, tone, thick)
        return
    for _ in range(rng.integers(1, 3)):
        width, height = sheet.width * rng.uniform(0.08, 0.5), sheet.height * rng.uniform(0.03, 0.3)
        x, y = rng.uniform(-0.1, 0.9) * sheet.width, rng.uniform(-0.05, 0.9) * sheet.height
        back = rng.integers(0, 256)
        mask = np.zeros_like(sheet.grey)
        round_box(mask, x, y, width, height, 255)
        sheet.grey[mask > 0] = back
        if x > 0 and y > 0:
            panel(rng, sheet.grey, assets, x, y, min(width, sheet.width - x), min(height, sheet.height - y), back)
        sheet.cover(mask > 0)


def tight_sheet(rng, pool, assets):
    """One board that fills the picture, with little around it."""
    thing = random_board(rng, pool, assets.lines)
    side = int(rng.integers(200, 620))
    if rng.random() < 0.4:
        thing = field_of(thing, extra=int(rng.integers(0, 4)))
        sheet = Sheet(np.zeros((side, side), np.uint8))
        sheet.lay(thing, (0, 0, side, side))
        return sheet
    margins = rng.uniform(0, 0.12, 4) * side * (rng.random(4) < 0.7)
    width, height = int(side + margins[0] + margins[1]), int(side + margins[2] + margins[3])
    sheet = Sheet(background(rng, assets, width, height) if rng.random() < 0.4 else
                  np.full((height, width), rng.choice([0, 255, rng.integers(0, 256)]), np.uint8))
    if rng.random() < 0.5:
        lines = assets.lines[rng.integers(len(assets.lines))]
        ink = 255 - int(sheet.grey[0, 0])
        write(rng, sheet.grey, lines, rng.uniform(0, side / 2), margins[2] * 0.2, side, max(5, margins[2] * 0.6), ink, length=10)
        write(rng, sheet.grey, lines, rng.uniform(0, side / 2), height - margins[3] * 0.8, side, max(5, margins[3] * 0.6), ink, length=10)
    sheet.lay(thing, (margins[0], margins[2], side, side))
    return sheet


def table_sheet(rng, pool, assets):
    """One to three boards or other things, anywhere on a background."""
    width = int(rng.integers(400, 800))
    height = int(width * rng.uniform(0.6, 1.5))
    sheet = Sheet(background(rng, assets, width, height))
    boxes = []
    for _ in range(rng.choice([1, 2, 3], p=[0.65, 0.2, 0.15])):
        side = min(width, height) * rng.uniform(0.15, 0.95)
        x, y = rng.uniform(-0.02, 1) * (width - side), rng.uniform(-0.02, 1) * (height - side)
        if any(abs(x - bx) < max(side, bs) * 1.15 and abs(y - by) < max(side, bs) * 1.15 for bx, by, bs in boxes):
            continue
        boxes.append((x, y, side))
        thing = random_board(rng, pool, assets.lines) if rng.random() < 0.75 else random_other(rng, pool, assets)
        box = board_box(rng, thing, x, y, side)
        sheet.lay(thing, box)
        if rng.random() < 0.25:                          # side by side, as programs that compare boards show them
            gap, (left, top, width, height) = rng.choice([0, 0, 1, 3, 8]), box
            beside = (left + width + gap, top) if rng.random() < 0.6 else (left, top + height + gap)
            sheet.lay(field_of(pool[rng.integers(len(pool))]), (*beside, width, height))
    return sheet


def plain_sheet(rng, pool, assets):
    """No board: a real page, screen or photo, sometimes with something like a board."""
    source = (assets.photos, assets.gridlike, assets.gridlike, assets.textpages, assets.screens)[rng.integers(5)]
    grey = source[rng.integers(len(source))]
    if rng.random() < 0.6:
        grey = crop_to(rng, grey, int(rng.integers(300, 800)), int(rng.integers(300, 800)))
    sheet = Sheet(grey.copy())
    if rng.random() < 0.4:
        thing = random_other(rng, pool, assets)
        side = min(sheet.width, sheet.height) * rng.uniform(0.2, 0.98)
        sheet.lay(thing, board_box(rng, thing, rng.uniform(0, sheet.width - side), rng.uniform(0, max(1, sheet.height - side)), side))
    return sheet


# Camera

def flat_view(rng, sheet):
    """The map of a picture as it is: the longer side fills the scene, or (one in four) a part of it, as in a tile."""
    scale = SIZE / max(sheet.width, sheet.height)
    if rng.random() < 0.25:
        scale *= rng.uniform(1.2, 2.8)
        centre = rng.uniform(0, 1, 2) * [sheet.width, sheet.height]
        boards = [quad for quad, kind in zip(sheet.quads, sheet.kinds) if kind == BOARD]
        if boards and rng.random() < 0.6:                # look at a board, so that it is mostly whole
            quad = boards[rng.integers(len(boards))]
            scale = min(scale, SIZE * 0.98 / side_of(quad))
            centre = quad.mean(0) + rng.uniform(-0.5, 0.5, 2) * max(0, SIZE / scale - side_of(quad))
    else:
        centre = np.array([sheet.width, sheet.height]) / 2
    return np.array([[scale, 0, SIZE / 2 - scale * centre[0]], [0, scale, SIZE / 2 - scale * centre[1]], [0, 0, 1]])


def random_turn(rng):
    """Degrees: mostly near upright, a fifth at any slant, some quarter turns and upside down."""
    kind = rng.random()
    if kind < 0.55:
        return rng.normal(0, 3)
    if kind < 0.72:
        return rng.normal(0, 10)
    if kind < 0.9:
        return rng.uniform(-50, 50)
    return rng.choice([90, 180, 270]) + rng.normal(0, 5)


def photo_view(rng, sheet):
    """The map of a photo: turned, with perspective, from further away or nearer."""
    angle = np.radians(random_turn(rng))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    half = np.array([sheet.width, sheet.height]) / max(sheet.width, sheet.height) / 2
    strength = rng.choice([0.02, 0.05, 0.1])
    quad = quad_of_box(*-half, *half) * (1 + rng.normal(0, strength, (4, 2))) * [1, rng.uniform(0.85, 1.1)]
    quad = quad @ turn * SIZE * rng.uniform(0.55, 1.0 if rng.random() < 0.5 else 1.7)
    room = np.maximum(np.ptp(quad, axis=0) - SIZE, 40) / 2
    quad = quad - (quad.max(0) + quad.min(0)) / 2 + SIZE / 2 + rng.uniform(-0.8, 0.8, 2) * room
    return homography(quad_of_box(0, 0, sheet.width, sheet.height), quad)


def look(rng, sheet, matrix, assets, photo):
    """The sheet through the map `matrix`; a photographed one may be bent like a page. Also moves the quads."""
    scale = np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    grey = blur(sheet.grey, 0.42 / scale) if scale < 0.75 else sheet.grey
    quads = np.array(sheet.quads, np.float32).reshape(-1, 4, 2)
    bend = photo and rng.random() < 0.35
    if photo:
        table = background(rng, assets, SIZE, SIZE)
    else:
        table = np.full((SIZE, SIZE), np.median(sheet.grey) if rng.random() < 0.8 else rng.integers(0, 256), np.uint8)
    if not bend:
        seen = warp(grey, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
        mask = warp(np.full(grey.shape, 255, np.uint8), matrix, (SIZE, SIZE))
    else:                                                # points (u, v) of the sheet appear at matrix (u, v - rise(u))
        inverse = np.linalg.inv(matrix)
        y, x = np.indices((SIZE, SIZE)).astype(np.float32) + 0.5
        u, v = cv2.transform(np.dstack([x, y, np.ones_like(x)]), inverse).transpose(2, 0, 1)[:2] / \
            (inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2])
        axis = rng.integers(2)
        length = sheet.width if axis == 0 else sheet.height
        height, middle, power = rng.normal(0, 0.02) * length, rng.uniform(-0.2, 1.2), rng.choice([1.5, 2, 3])
        rise = lambda t: height * np.abs(t / length - middle) ** power * 2
        if axis == 0:
            v = v + rise(u)
            quads[..., 1] -= rise(quads[..., 0])
        else:
            u = u + rise(v)
            quads[..., 0] -= rise(quads[..., 1])
        remap = lambda picture, mode: cv2.remap(picture, (u - 0.5).astype(np.float32), (v - 0.5).astype(np.float32),
                                                cv2.INTER_LINEAR, borderMode=mode)
        seen, mask = remap(grey, cv2.BORDER_REPLICATE), remap(np.full(grey.shape, 255, np.uint8), cv2.BORDER_CONSTANT)
    opacity = mask / np.float32(255)
    return seen * opacity + table * (1 - opacity), transform(quads, matrix) if len(quads) else quads


def soft_noise(rng, cells):
    """Smooth random field [512, 512] in about -1..1."""
    return cv2.resize(rng.normal(0, 1, (cells, cells)).astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)


def photograph(rng, scene):
    """Shadows, glare, moire and vignette of a photo; float32 in and out."""
    y, x = np.indices((SIZE, SIZE), np.float32) / SIZE
    if rng.random() < 0.6:
        scene = scene * (1 + 0.25 * rng.random() * soft_noise(rng, int(rng.integers(2, 6)))).clip(0.25, 1.6)
    if rng.random() < 0.3:                               # the shadow of something with a straight edge
        angle = rng.uniform(0, 2 * np.pi)
        distance = (x - rng.uniform(0.2, 0.8)) * np.cos(angle) + (y - rng.uniform(0.2, 0.8)) * np.sin(angle)
        scene = scene * (1 - rng.uniform(0.15, 0.6) / (1 + np.exp(-distance / rng.uniform(0.005, 0.08))))
    if rng.random() < 0.15:
        spot = ((x - rng.random()) ** 2 + (y - rng.random()) ** 2) / rng.uniform(0.002, 0.05)
        scene = scene + rng.uniform(40, 200) * np.exp(-spot)
    if rng.random() < 0.2:
        for _ in range(2):
            fx, fy = rng.uniform(-180, 180, 2)
            scene = scene * (1 + rng.uniform(0.01, 0.1) * np.sin(2 * np.pi * (fx * x + fy * y) + 4 * soft_noise(rng, 3)))
    return scene


def hands(rng, scene):
    """Fingers that reach in from an edge; returns their mask."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    x, y = rng.uniform(0, SIZE, 2)
    side = rng.integers(4)
    start = np.array([[x, -20], [x, SIZE + 20], [-20, y], [SIZE + 20, y]][side])
    for _ in range(rng.integers(1, 5)):
        end = start + (np.array([SIZE / 2, SIZE / 2]) - start) * rng.uniform(0.1, 0.5) + rng.normal(0, 20, 2)
        cv2.line(mask, start.astype(int).tolist(), end.astype(int).tolist(), 255, int(rng.integers(18, 60)), cv2.LINE_AA)
        start = start + rng.normal(0, 35, 2)
    mask = blur(mask, 1.5)
    opacity = mask / np.float32(255)
    scene[:] = scene * (1 - opacity) + (rng.uniform(60, 210) + 15 * soft_noise(rng, 9)) * opacity
    return mask > 128


def bar(rng, scene):
    """Something straight from edge to edge in front of everything: a cable, a window frame, a scanner's streak."""
    start, end = rng.uniform(0, SIZE, 2)
    if rng.random() < 0.6:
        end = start + rng.normal(0, 6)
    ends = [(int(start), -9), (int(end), SIZE + 9)]
    if rng.random() < 0.4:
        ends = [(y, x) for x, y in ends]
    cv2.line(scene, *ends, float(rng.choice([rng.uniform(0, 60), rng.uniform(0, 255)])), int(rng.integers(2, 22)), cv2.LINE_AA)


def spoil(rng, scene):
    """Blur, lost resolution, tone, noise, inversion, thresholding and JPEG; uint8 [512, 512]."""
    if rng.random() < 0.35:
        scene = blur(scene, rng.uniform(0.3, 1.4))
    if rng.random() < 0.2:
        small = int(SIZE * rng.uniform(0.35, 0.8))
        scene = cv2.resize(cv2.resize(scene, (small, small), interpolation=cv2.INTER_AREA), (SIZE, SIZE),
                           interpolation=[cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST][rng.integers(3)])
    if rng.random() < 0.35:
        scene = scene * rng.uniform(0.3, 1.1) + rng.uniform(-10, 90)
    if rng.random() < 0.4:
        scene = scene + rng.standard_normal(scene.shape, np.float32) * rng.uniform(1, 12)
    if rng.random() < 0.06:
        scene = 255 - scene
    if rng.random() < 0.04:
        scene = (scene - cv2.blur(scene, (51, 51)) + rng.uniform(5, 20)) * 50 + 128
    scene = np.clip(scene, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        data = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(15, 95))])[1]
        scene = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    return scene


def judged(quads, kinds, hidden):
    """Quads that count in the scene, starting with the visual top left, and what they are after cutting and covering."""
    kept = []
    for quad, kind in zip(quads, kinds):
        side = side_of(quad)
        cut = max(-quad.min(), quad.max() - SIZE) / max(side, 1)
        if kind == BOARD:
            if side < SMALLEST or cut > CUT_A_LITTLE:
                kind = UNSURE if cut < CUT else OTHER
            elif hidden is not None:
                inside = np.zeros((SIZE, SIZE), np.uint8)
                cv2.fillConvexPoly(inside, quad.astype(np.int32), 1)
                if hidden[inside > 0].mean() > COVERED:
                    kind = UNSURE
        if cut < 0.4 and side > 8:
            kept.append((roll_to_top_left(quad), kind))
    return kept


def make_scene(rng, pool, assets):
    """A scene uint8 [512, 512] and its [(quad [4, 2], kind)]."""
    kind = rng.choice(5, p=[0.3, 0.28, 0.14, 0.18, 0.1])
    sheet = (page_sheet, screen_sheet, tight_sheet, table_sheet, plain_sheet)[kind](rng, pool, assets)
    photo = rng.random() < (0.45, 0.35, 0.35, 0.6, 0.3)[kind]
    matrix = photo_view(rng, sheet) if photo else flat_view(rng, sheet)
    scene, quads = look(rng, sheet, matrix, assets, photo)
    hidden = None
    if photo:
        scene = photograph(rng, scene)
        hidden = hands(rng, scene) if rng.random() < 0.08 else None
    if rng.random() < 0.06:
        bar(rng, scene)
    return spoil(rng, scene), judged(quads, sheet.kinds, hidden)


# Shards

def write_shard(path, scenes):
    """Writes PATH.npy with the pictures and PATH.npz with counts, quads and kinds."""
    pictures, marks = zip(*scenes)
    np.save(f"{path}.npy", np.stack(pictures))
    np.savez(f"{path}.npz", counts=np.array([len(m) for m in marks]),
             quads=np.array([q for m in marks for q, _ in m], np.float32).reshape(-1, 4, 2),
             kinds=np.array([k for m in marks for _, k in m], np.int8))


def read_shards(paths):
    """Shards (paths without suffix) -> [(scenes memory-mapped, [(quads [k, 4, 2], kinds [k])])]."""
    shards = []
    for path in paths:
        marks = np.load(f"{path}.npz")
        cuts = np.cumsum(marks["counts"])[:-1]
        shards.append((np.load(f"{path}.npy", mmap_mode="r"),
                       list(zip(np.split(marks["quads"], cuts), np.split(marks["kinds"], cuts)))))
    return shards


def contact_sheet(scenes, columns=6):
    """Scenes side by side, boards outlined in red, unsure in yellow, other in blue."""
    tiles = []
    for picture, marks in scenes:
        tile = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        for quad, kind in marks:
            cv2.polylines(tile, [quad.astype(np.int32)], True, {BOARD: (0, 0, 255), UNSURE: (0, 220, 255)}.get(kind, (255, 80, 0)), 2)
            if kind == BOARD:
                cv2.circle(tile, quad[0].astype(int).tolist(), 6, (0, 200, 0), -1)
        tiles.append(cv2.resize(tile, (300, 300), interpolation=cv2.INTER_AREA))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i:i + columns]) for i in range(0, len(tiles), columns)])


def make_pool(rng, artwork, count):
    """`count` rendered boards as Things in grey."""
    pool = []
    for _ in range(count):
        board = render_board(rng, artwork)
        pool.append(Thing(np.clip(board.picture @ LUMA, 0, 255).astype(np.uint8), board.quad, BOARD))
    return pool


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assets", type=Path, default=ASSETS)
    parser.add_argument("--artwork", type=Path, default=ARTWORK, help="written by artwork.py")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--pool", type=int, default=700, help="boards rendered for the scenes to draw from")
    parser.add_argument("--out", type=Path, default=Path("scenes1"), help="path of the shard without suffix")
    parser.add_argument("--sheet", type=Path, help="only draw the first 42 scenes with their quads here")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(arguments.seed)
    assets = Assets(arguments.assets, rng)
    pool = make_pool(rng, Artwork(arguments.artwork), arguments.pool)
    count = 42 if arguments.sheet else arguments.count
    scenes = [make_scene(rng, pool, assets) for _ in range(count)]
    if arguments.sheet:
        cv2.imwrite(str(arguments.sheet), contact_sheet(scenes))
    else:
        write_shard(arguments.out, scenes)


if __name__ == "__main__":
    main()
