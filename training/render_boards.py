"""Renders clean boards with known positions: the first step of every training picture.

    python render_boards.py --out boards.png       # 48 boards to look at

`render_board(rng, artwork)` gives a `Board`: an RGB picture with the 8x8 field in its middle, the field's quad, the
labels of the 64 squares and what the coordinates say. Nothing is degraded here (see degrade.py).
One numpy Generator decides everything, so a seed gives the same boards again.
"""
import argparse
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from artwork import ARTWORK, GLYPHS, PIECES, SPRITE, Artwork, labels_of_placement
from drawn_sets import drawn_set, restyled

CELL = 48                      # pixels per square
FIELD = 8 * CELL               # side of the field: 384
MARGIN = 44                    # pixels around the field: frame, coordinates, surround
PICTURE = FIELD + 2 * MARGIN   # side of a picture: 472
FIELD_QUAD = np.array([[MARGIN, MARGIN], [MARGIN + FIELD, MARGIN], [MARGIN + FIELD, MARGIN + FIELD],
                       [MARGIN, MARGIN + FIELD]], np.float32)
STAMPED = 0.15                 # share of the printed boards with figures of both sides that are printed with rubber stamps
LUMA = np.array([0.299, 0.587, 0.114], np.float32)
PARITY = np.indices((8, 8)).sum(0) % 2                                      # 0 on the squares of a8's colour
DARK = np.kron(PARITY, np.ones((CELL, CELL))).astype(bool)[..., None]       # pixels of the dark squares

# Tints of squares (RGB, opacity) as sites and apps use them: last move, selection, premove, annotation.
TINTS = [((155, 199, 0), 0.41), ((20, 85, 30), 0.5), ((20, 30, 85), 0.5), ((255, 255, 51), 0.5), ((245, 246, 130), 0.8),
         ((235, 97, 80), 0.8), ((255, 170, 0), 0.8), ((172, 206, 89), 0.8), ((82, 176, 220), 0.8),
         ((100, 150, 220), 0.5), ((255, 235, 59), 0.45), ((220, 0, 0), 0.4), ((60, 60, 60), 0.25)]
# Arrows and circles (RGB) of the same.
MARK_COLOURS = [(21, 120, 27), (136, 32, 32), (0, 48, 136), (230, 143, 0), (255, 170, 0), (159, 207, 63),
                (248, 85, 63), (72, 193, 249), (0, 160, 0), (208, 0, 0), (0, 0, 0), (0, 220, 0), (90, 90, 90)]
BADGE_COLOURS = [(27, 172, 166), (92, 139, 176), (150, 188, 75), (247, 199, 41), (255, 119, 105), (250, 65, 45),
                 (240, 90, 40), (130, 80, 200), (168, 136, 101), (90, 200, 90), (40, 40, 40)]


@dataclass
class Mark:
    """A coordinate on the picture: its character and the box (x0, y0, x1, y1) in pixels; `inside` the field or not."""
    text: str
    box: tuple
    inside: bool


@dataclass
class Board:
    """A clean rendered board.

    `picture` uint8 RGB [472, 472, 3]; `quad` float32 [4, 2], the field's corners (x, y) clockwise from its top left,
    pixel edges counted from 0 (the first pixel's centre is at 0.5); `labels` uint8 [64] in picture order, 0 empty,
    1..12 KQRBNPkqrbnp; `black_below` whether Black's side is below (what coordinates say); `marks` the coordinates;
    `printed` whether it looks like print on paper (else a screen); `surround` RGB [3] of the margin.
    """
    picture: np.ndarray
    quad: np.ndarray
    labels: np.ndarray
    black_below: bool
    printed: bool
    surround: np.ndarray
    marks: list = field(default_factory=list)


# Positions

def misprinted(rng, labels):
    """In one position of six a figure or two where nobody expects them, so that what stands there is read and not guessed."""
    if rng.random() < 1 / 6:
        for _ in range(rng.integers(1, 3)):
            one, other = rng.choice(64, 2, replace=False)
            if rng.random() < 0.5:
                labels[[one, other]] = labels[[other, one]]
            else:
                labels[one] = rng.integers(1, 13)
    return labels


def random_labels(rng, artwork):
    """(labels [64], whether Black is below): real positions, start positions, and random ones at all densities.

    The first pictures of a program or a piece set mostly show the start position: it has a share of its own. Puzzles
    often have figures of one side alone, which must be told without the other beside them.
    """
    black_below = bool(rng.random() < 0.35)
    kind = rng.choice(["real", "start", "random"], p=[0.57, 0.08, 0.35])
    if kind == "start":
        labels = np.zeros((8, 8), np.uint8)
        labels[[0, 1, 6, 7]] = labels_of_placement("rnbqkbnr/pppppppp/PPPPPPPP/RNBQKBNR").reshape(4, 8)
        if rng.random() < 0.15:
            labels[[0, 7]] = labels[[0, 7]][:, rng.permutation(8)]
        labels = misprinted(rng, labels.reshape(64))
        return (labels[::-1].copy() if black_below else labels), black_below
    if kind == "real":
        labels = misprinted(rng, np.array(artwork.positions[rng.integers(len(artwork.positions))]))
        return (labels[::-1].copy() if black_below else labels), black_below
    density = rng.choice([0.03, 0.08, 0.2, 0.35, 0.55, 0.8], p=[0.1, 0.15, 0.3, 0.25, 0.13, 0.07])
    kinds = np.arange(1, 13)
    choice = rng.random()
    if choice < 0.08:
        kinds = rng.choice(kinds, rng.integers(1, 4), replace=False)
    elif choice < 0.2:
        kinds = rng.choice(np.arange(1, 7), rng.integers(1, 7), replace=False) + 6 * rng.integers(2)
    labels = np.where(rng.random(64) < density, rng.choice(kinds, 64), 0)
    return labels.astype(np.uint8), black_below


# Empty boards. Each gives the field float32 RGB [384, 384, 3] and the colour of its surround [3].

def random_colour(rng, low, high):
    """RGB float32 [3]."""
    return rng.uniform(low, high, 3).astype(np.float32)


def chequered(light, dark):
    """Fills the light and the dark squares with colours or whole pictures."""
    return np.where(DARK, dark, light).astype(np.float32)


def tiled(tile):
    """A tile [48, 48, 3] on every square."""
    return np.tile(np.asarray(tile), (8, 8, 1))


def random_texture(rng, artwork, whole):
    """A texture as a field: one picture over the whole board, or a random part of it on each square."""
    texture = np.asarray(artwork.textures[rng.integers(len(artwork.textures))])
    if whole:
        return cv2.resize(texture, (FIELD, FIELD), interpolation=cv2.INTER_LINEAR)
    out = np.empty((FIELD, FIELD, 3), np.uint8)
    for square in range(64):
        row, column = divmod(square, 8)
        y, x = rng.integers(0, len(texture) - CELL, 2)
        out[row * CELL:(row + 1) * CELL, column * CELL:(column + 1) * CELL] = texture[y:y + CELL, x:x + CELL]
    return out


def two_colours(rng, artwork):
    """Light and dark square colours [3]: known themes, their variations, and pairs that are merely different."""
    if rng.random() < 0.6:
        light, dark = np.array(artwork.colours[rng.integers(len(artwork.colours))], np.float32)
        if rng.random() < 0.4:
            light, dark = light + random_colour(rng, -25, 25), dark + random_colour(rng, -25, 25)
        return np.clip(light, 0, 255), np.clip(dark, 0, 255)
    for _ in range(20):
        light, dark = random_colour(rng, 60, 255), random_colour(rng, 15, 235)
        if rng.random() < 0.35:  # a theme of one hue, dark ones too
            base = random_colour(rng, 20, 255)
            light, dark = base, base * rng.uniform(0.5, 0.9) + rng.uniform(-15, 15)
        if light @ LUMA - dark @ LUMA > 10:
            break
    return np.clip(light, 0, 255), np.clip(dark, 0, 255)


def add_stripes(rng, board):
    """Stripes or clouds in the manner of wood and marble."""
    shape = int(rng.choice([4, 16, 48])), int(rng.choice([4, 16, 48, 192]))
    texture = cv2.resize(rng.random(shape, np.float32), (FIELD, FIELD), interpolation=cv2.INTER_CUBIC)
    return board + ((texture - 0.5) * rng.uniform(5, 50))[..., None]


def screen_field(rng, artwork):
    """An empty board of a site, an app or a program."""
    kind = rng.choice(["colours", "board", "tiles", "textures", "plain"], p=[0.57, 0.11, 0.11, 0.09, 0.12])
    if kind == "colours":
        light, dark = two_colours(rng, artwork)
        board = chequered(light, dark)
        if rng.random() < 0.15:
            board = add_stripes(rng, board)
        elif rng.random() < 0.07:  # squares with a gradient or a bevel
            ramp = np.linspace(-1, 1, CELL, dtype=np.float32)
            ramp = ramp[:, None] + rng.choice([-1, 0, 1]) * ramp[None]
            board = board + np.tile(ramp, (8, 8))[..., None] * rng.uniform(4, 22)
    elif kind == "board":
        board = np.asarray(artwork.boards[rng.integers(len(artwork.boards))]).astype(np.float32)
    elif kind == "tiles":
        light, dark = artwork.tiles[rng.integers(len(artwork.tiles))]
        board = chequered(tiled(light), tiled(dark))
    elif kind == "textures":
        whole = rng.random() < 0.5
        board = chequered(random_texture(rng, artwork, whole), random_texture(rng, artwork, whole))
        if board[~DARK[..., 0]].mean() < board[DARK[..., 0]].mean():
            board = np.roll(board, CELL, 1)
    else:                          # no shading: grid lines must do
        ground = random_colour(rng, 120, 255) if rng.random() < 0.35 else rng.uniform(15, 60) + random_colour(rng, -10, 10)
        board = chequered(ground, ground)
    if rng.random() < 0.04:        # a1 light
        board = np.roll(board, CELL, 1)
    if rng.random() < 0.06:
        board = board.mean(2, keepdims=True).repeat(3, 2)
    if rng.random() < (1 if kind == "plain" else 0.07):
        ink, width = random_colour(rng, 0, 160 if board.mean() > 90 else 80), int(rng.integers(1, 3))
        for position in range(0, FIELD + 1, CELL):
            board[max(0, position - width + 1):position + 1] = ink
            board[:, max(0, position - width + 1):position + 1] = ink
    surround = random_colour(rng, 0, 255) if rng.random() < 0.5 else np.full(3, rng.choice([0, 20, 38, 48, 240, 255]))
    return board, surround.astype(np.float32)


def hatch_lines(rng):
    """Ink coverage [384, 384] of parallel lines, straight or drawn by hand, anew on each square or across all."""
    y, x = np.mgrid[0:FIELD, 0:FIELD].astype(np.float32)
    spacing = np.exp(rng.uniform(np.log(2.6), np.log(15)))
    width = rng.uniform(0.2, 0.72)
    angle = rng.choice([0.25, 0.25, 0.25, 0.75, 0.75, 0, 0.5]) * np.pi
    if rng.random() < 0.35:
        angle += rng.normal(0, 0.2)
    phase = (x * np.sin(angle) + y * np.cos(angle)) / spacing
    if rng.random() < 0.4:         # each square on its own
        phase = phase + np.kron(rng.random((8, 8)), np.ones((CELL, CELL)))
    if rng.random() < 0.35:        # an unsteady hand
        wave = cv2.resize(rng.normal(0, 1, (16, 16)).astype(np.float32), (FIELD, FIELD), interpolation=cv2.INTER_CUBIC)
        phase = phase + wave * rng.uniform(0.05, 0.5)
        width = width + cv2.resize(rng.normal(0, 0.12, (48, 48)).astype(np.float32), (FIELD, FIELD))
    sharpness = spacing / rng.uniform(0.8, 1.6)
    distance = np.abs(phase - np.round(phase)) * 2          # 0 on a line's middle, 1 between two
    lines = np.clip((width - distance) * sharpness + 0.5, 0, 1)
    if rng.random() < 0.12:        # crossed
        other = np.clip((width - np.abs((y * np.sin(angle) - x * np.cos(angle)) / spacing % 1 - 0.5) * 2) * sharpness
                        + 0.5, 0, 1)
        lines = np.maximum(lines, other)
    return lines


def print_pattern(rng):
    """Ink coverage [384, 384] for the dark squares of a printed board, and its ink colour's lightness 0..255."""
    kind = rng.choice(["lines", "solid", "dots", "grain", "black"], p=[0.55, 0.23, 0.1, 0.1, 0.02])
    ink = rng.uniform(0, 90)
    if kind == "lines":
        return hatch_lines(rng), ink
    if kind == "solid":
        return np.ones((FIELD, FIELD), np.float32), rng.uniform(90, 215)
    if kind == "black":
        return np.ones((FIELD, FIELD), np.float32), rng.uniform(20, 80)
    y, x = np.mgrid[0:FIELD, 0:FIELD].astype(np.float32)
    if kind == "dots":
        spacing, turn = rng.uniform(2.5, 8), rng.choice([0, np.pi / 4])
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        wave = np.sin(2 * np.pi * u / spacing) * np.sin(2 * np.pi * v / spacing)
        return np.clip((wave - rng.uniform(-0.3, 0.6)) * 2 + 0.5, 0, 1), ink
    grain = cv2.GaussianBlur(rng.random((FIELD, FIELD), np.float32), (0, 0), rng.uniform(0.6, 1.8))
    grain = (grain - grain.mean()) / grain.std()
    return np.clip((grain - rng.uniform(-0.7, 0.7)) * 1.5 + 0.5, 0, 1), ink


def paper_and_ink(rng, artwork):
    """Colours [3] of paper and ink."""
    if rng.random() < 0.7:
        paper = np.full(3, rng.uniform(205, 255), np.float32)
    else:
        paper = np.array([255, 250, 235], np.float32) * rng.uniform(0.75, 1) + random_colour(rng, -8, 8)
    ink = np.full(3, rng.uniform(0, 60), np.float32)
    if rng.random() < 0.1:
        ink = random_colour(rng, 0, 110)
    return paper, ink


def print_field(rng, artwork, paper, ink):
    """An empty printed board: hatched, grey, dotted, tinted or with lines only."""
    choice = rng.random()
    if choice < 0.07:              # no shading
        board = np.tile(paper, (FIELD, FIELD, 1))
    elif choice < 0.17:            # two flat tints
        light, dark = np.array(artwork.colours[rng.choice(artwork.print_colours)], np.float32) \
            if rng.random() < 0.5 and artwork.print_colours else (paper, paper * rng.uniform(0.45, 0.9))
        board = chequered(light, dark)
    else:
        coverage, lightness = print_pattern(rng)
        dark_ink = ink + (lightness if lightness > 90 else 0.5 * lightness) * (1 - ink / 255)
        coverage = coverage[..., None] * DARK
        board = paper * (1 - coverage) + np.minimum(dark_ink, paper) * coverage
    if rng.random() < 0.04:
        board = np.roll(board, CELL, 1)
    if choice < 0.07 or rng.random() < 0.15:
        width = int(rng.integers(1, 3))
        for position in range(0, FIELD + 1, CELL):
            board[max(0, position - width + 1):position + 1] = ink
            board[:, max(0, position - width + 1):position + 1] = ink
    return board.astype(np.float32)


# Pieces

def over(picture, colour, coverage):
    """Blends a colour or picture over a view of the picture in place; coverage [..., 1] in 0..1."""
    picture[:] = picture * (1 - coverage) + colour * coverage


def paste(picture, sprite, top, left):
    """Blends a premultiplied float RGBA sprite (colour 0..255, alpha 0..1), cut off at the picture's edge."""
    height, width = sprite.shape[:2]
    top, left = int(round(top)), int(round(left))
    y0, x0, y1, x1 = max(0, top), max(0, left), min(PICTURE, top + height), min(PICTURE, left + width)
    if y0 < y1 and x0 < x1:
        part, area = sprite[y0 - top:y1 - top, x0 - left:x1 - left], picture[y0:y1, x0:x1]
        area *= 1 - part[..., 3:]
        area += part[..., :3]


def premultiplied(sprite):
    """uint8 RGBA with straight alpha -> float32 with colour 0..255 times alpha, alpha 0..1."""
    sprite = sprite.astype(np.float32)
    sprite[..., 3] /= 255
    sprite[..., :3] *= sprite[..., 3:]
    return sprite


def contrasting_sides(rng):
    """Two colours [3] told apart by hue or lightness as stamped, two-colour and flat sets use them: White, Black."""
    def near(colour, spread=35):
        return np.clip(np.array(colour, np.float32) + random_colour(rng, -spread, spread), 0, 255)
    if rng.random() < 0.35:        # any two colours, White's the lighter by much or a little
        least = rng.choice([20, 45])
        while True:
            white, black = random_colour(rng, 30, 255), random_colour(rng, 0, 220)
            if white @ LUMA - black @ LUMA > least and np.abs(white - black).max() > 60:
                return white, black
    pairs = [((205, 50, 50), (80, 80, 180)), ((250, 130, 20), (200, 70, 70)), ((245, 235, 200), (200, 155, 70)), ((220, 40, 60), (50, 50, 160)), ((210, 60, 60), (25, 25, 25)),
             ((235, 130, 40), (40, 60, 140)), ((230, 200, 70), (60, 60, 170)), ((230, 200, 70), (30, 30, 30)),
             ((250, 250, 250), (20, 20, 20)), ((250, 250, 250), (20, 20, 20)), ((250, 245, 220), (120, 50, 20)),
             ((250, 250, 250), (200, 30, 30)), ((90, 160, 240), (20, 30, 60)), ((200, 160, 100), (70, 40, 20)),
             ((255, 255, 255), (130, 130, 130)), ((240, 220, 190), (60, 90, 60))]
    white, black = pairs[rng.integers(len(pairs))]
    return near(white), near(black)


def recolour(rng, sprites):
    """Sides told by colour only: both drawn alike (filled or in outline) or as they are, in two inks. [12, s, s, 4]"""
    white, black = contrasting_sides(rng)
    body = rng.choice(["white", "black", "own", "filled"], p=[0.25, 0.25, 0.35, 0.15])
    out = []
    for number in range(12):
        source = {"white": number % 6, "black": 6 + number % 6}.get(body, number)
        sprite, ink = sprites[source], white if number < 6 else black
        lightness = (sprite[..., :3] @ LUMA)[..., None] / 255                # premultiplied: darkness needs alpha
        alpha = sprite[..., 3:]
        if body != "filled" or source >= 6:   # what is dark takes the ink, what is light stays light
            coloured = np.concatenate([(alpha - lightness) * ink + lightness * 255, alpha], 2)
        else:                      # the filling takes the ink, the outline darkens
            coloured = np.concatenate([lightness * ink + (alpha - lightness) * ink * 0.25, alpha], 2)
        out.append(coloured.astype(np.float32))
    return out


def stamped(rng, sprites):
    """Rubber stamps in two inks: what is dark in a figure takes its side's ink, what is light lets the board through."""
    inks = [ink * min(1, 130 / max(1, ink @ LUMA)) for ink in contrasting_sides(rng)]
    out = []
    for number, sprite in enumerate(sprites):
        cover = np.clip(sprite[..., 3:] - (sprite[..., :3] @ LUMA)[..., None] / 255, 0, 1)
        out.append(np.concatenate([cover * inks[number // 6], cover], 2).astype(np.float32))
    return out


def unevenly_inked(rng, sprite):
    """A stamp's print: more ink here than there, and more on one figure than on the next."""
    height, width = sprite.shape[:2]
    ink = cv2.resize(rng.normal(0, 0.18, (4, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    grain = cv2.resize(rng.normal(0, 0.15, (24, 24)).astype(np.float32), (width, height))
    return sprite * np.clip(rng.uniform(0.55, 1.1) + ink + grain, 0.15, 1)[..., None]


def toned(rng, sprites):
    """White not quite white and Black not quite black, tinted: dimmed themes and sets of other materials."""
    high, low = random_colour(rng, 130, 255), random_colour(rng, 0, 90)
    if rng.random() < 0.6:         # grey
        high, low = np.full(3, high[0]), np.full(3, low[0])
    return [np.concatenate([low * s[..., 3:] + s[..., :3] * (high - low) / 255, s[..., 3:]], 2).astype(np.float32)
            for s in sprites]


def engraved(rng, sprites, ink):
    """Shading lines in White's figures, as in wood engravings and old type."""
    side = sprites[0].shape[:2]
    y, x = np.indices(side, np.float32)
    angle, spacing = rng.uniform(0, np.pi), rng.uniform(2.5, 6)
    lines = np.clip((np.sin((x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / spacing) - rng.uniform(-0.2, 0.8)) * 2, 0, 1)
    reach = np.clip((x - side[1] * rng.uniform(0.2, 0.7)) / (side[1] * 0.1), 0, 1) if rng.random() < 0.7 else 1
    cover = (lines * reach * rng.uniform(0.3, 1))[..., None]
    return [np.concatenate([s[..., :3] * (1 - cover) + ink * s[..., 3:] * cover, s[..., 3:]], 2).astype(np.float32)
            if number < 6 else s for number, s in enumerate(sprites)]


def reshaped(rng, sprites):
    """Figures bent a little, all alike: sets that nobody drew, so that shapes are learned and not drawings."""
    side = sprites.shape[1]
    maps = []
    for axis in range(2):
        shift = cv2.resize(rng.normal(0, rng.uniform(0.01, 0.045) * side, (5, 5)).astype(np.float32), (side, side),
                           interpolation=cv2.INTER_CUBIC)
        maps.append(np.indices((side, side), np.float32)[1 - axis] + shift)
    return np.stack([cv2.remap(sprite, maps[0], maps[1], cv2.INTER_LINEAR) for sprite in sprites])


def pixelated(rng, sprites):
    """Figures of few large pixels."""
    cells = int(rng.integers(12, 29))
    small = [cv2.resize(sprite, (cells, cells), interpolation=cv2.INTER_AREA) for sprite in sprites]
    if rng.random() < 0.6:         # hard edges
        for sprite in small:
            sprite[..., 3] = np.where(sprite[..., 3] > 110, 255, 0)
    return np.stack([cv2.resize(sprite, (SPRITE, SPRITE), interpolation=cv2.INTER_NEAREST) for sprite in small])


def chosen_sprites(rng, artwork, printed, dark_field, stamps):
    """uint8 RGBA [12, 96, 96, 4] of one set: one of the artwork, some in another dress or with kinds of piece from
    another, or one that nobody drew; sometimes bent or pixelated. `dark_field`: whether it stands on dark squares only;
    `stamps`: whether it is to be printed with rubber stamps, of which the artwork has none."""
    sprites = np.array(artwork.pieces[artwork.choose_set(rng, printed)])
    kind = rng.choice(["own", "mixed", "restyled", "drawn"], p=[0.4, 0.12, 0.2, 0.28])
    if (dark_field or stamps) and rng.random() < 0.6:
        kind = rng.choice(["restyled", "drawn"])
    if kind == "mixed":
        other = artwork.pieces[artwork.choose_set(rng, printed)]
        for figure in rng.choice(6, rng.integers(1, 4), replace=False):
            sprites[[figure, figure + 6]] = other[[figure, figure + 6]]
    elif kind != "own":
        sides = contrasting_sides(rng) if not stamps and rng.random() < (0.3 if printed else 0.2) else None
        draw = restyled if kind == "restyled" else drawn_set
        sprites = draw(rng, artwork, printed, sides, dark_field, stamps)
    if printed and rng.random() < 0.03:          # rooks set lying down
        rook = PIECES.index("R") + 6 * rng.integers(2)
        sprites[rook] = np.rot90(sprites[rook])
    if rng.random() < 0.35:
        sprites = reshaped(rng, sprites)
    elif rng.random() < 0.2:       # each kind of piece bent in its own way
        for figure in range(6):
            sprites[[figure, figure + 6]] = reshaped(rng, sprites[[figure, figure + 6]])
    return pixelated(rng, sprites) if rng.random() < (0.01 if printed else 0.05) else sprites


def prepare_sprites(rng, artwork, labels, printed, paper, ink, dark_field):
    """A set's 12 sprites at one size [s, s, 4], premultiplied, with the board's variations."""
    both_sides = (labels > 6).any() and ((labels > 0) & (labels < 7)).any()
    stamps = both_sides and printed and rng.random() < STAMPED
    sprites = chosen_sprites(rng, artwork, printed, dark_field, stamps)
    size = rng.choice(["usual", "small", "large"], p=[0.84, 0.12, 0.04])
    low, high = {"usual": (0.74, 1.0), "small": (0.5, 0.75), "large": (1.0, 1.12)}[size]
    side = int(round(CELL * rng.uniform(low, high)))
    method = cv2.INTER_AREA if rng.random() < 0.8 else cv2.INTER_LINEAR
    sprites = [cv2.resize(premultiplied(sprite), (side, side), interpolation=method) for sprite in sprites]
    if rng.random() < 0.12:        # squeezed
        squeeze = rng.uniform(0.85, 1), rng.uniform(0.85, 1)
        sprites = [cv2.resize(s, (int(side * squeeze[0]), int(side * squeeze[1])), interpolation=cv2.INTER_AREA)
                   for s in sprites]
    if stamps:
        return stamped(rng, sprites)
    if both_sides and not dark_field and rng.random() < (0.26 if printed else 0.13):
        return recolour(rng, sprites)
    if not dark_field and rng.random() < (0.04 if printed else 0.15):
        sprites = toned(rng, sprites)
    if printed or not dark_field and rng.random() < 0.12:
        for sprite in sprites:
            grey = (sprite[..., :3] @ LUMA)[..., None]
            sprite[..., :3] = ink * sprite[..., 3:] + grey * (paper - ink) / 255 if printed else grey
    if printed and rng.random() < 0.2:
        sprites = engraved(rng, sprites, ink)
    if not printed and rng.random() < 0.06:      # glossy or see-through
        opacity = rng.uniform(0.7, 0.95)
        sprites = [sprite * opacity for sprite in sprites]
    if not printed and rng.random() < 0.08:      # a soft shadow
        dy, dx = rng.integers(1, 5, 2)
        for i, sprite in enumerate(sprites):
            shadow = cv2.GaussianBlur(np.roll(sprite[..., 3], (dy, dx), (0, 1)), (0, 0), 2) * rng.uniform(0.2, 0.5)
            sprites[i] = np.dstack([sprite[..., :3], np.maximum(sprite[..., 3], shadow)])
    return sprites


def with_halo(sprite, colour, width):
    """A blank rim around the figure, as where print spares the hatching out."""
    sprite = np.pad(sprite, ((width, width), (width, width), (0, 0)))
    rim = cv2.dilate(sprite[..., 3], cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1)))
    beneath = (rim * (1 - sprite[..., 3]))[..., None]
    return np.concatenate([sprite[..., :3] + colour * beneath, np.maximum(rim, sprite[..., 3])[..., None]], 2)


def turned(sprite, degrees, scale):
    """The sprite turned about its middle."""
    height, width = sprite.shape[:2]
    return cv2.warpAffine(sprite, cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), degrees, scale),
                          (width, height), flags=cv2.INTER_LINEAR)


def draw_pieces(rng, artwork, picture, labels, printed, paper, ink):
    """Draws the pieces of one set on the field."""
    dark_field = not printed and np.percentile(picture[MARGIN:-MARGIN:5, MARGIN:-MARGIN:5], 80) < 90
    sprites = prepare_sprites(rng, artwork, labels, printed, paper, ink, dark_field)
    if printed and rng.random() < 0.45:
        width = int(rng.integers(1, 4))
        sprites = [with_halo(sprite, paper, width) for sprite in sprites]
    if printed and rng.random() < 0.18:          # no white filling: what is beneath shows through
        for number in range(6):
            alpha, lightness = sprites[number][..., 3], sprites[number][..., :3] @ LUMA
            cover = np.clip((alpha * (paper @ LUMA) - lightness) / max(30.0, float((paper - ink) @ LUMA)), 0, 1)
            sprites[number] = np.dstack([cover[..., None] * ink, cover])
    shift_y, shift_x = rng.normal(0, 0.025, 2) * CELL
    loose = rng.random() < (0.3 if printed else 0.02)       # set by hand: each piece a little off and tilted
    drawn = loose and rng.random() < 0.3                     # and each drawn anew
    by_stamp = loose and printed and rng.random() < 0.3      # or printed by hand with a stamp
    wander, tilt = rng.uniform(0, 0.06) * CELL, rng.choice([0, 2, 6, 14], p=[0.38, 0.4, 0.15, 0.07])
    for square in np.flatnonzero(labels):
        row, column = divmod(int(square), 8)
        sprite = sprites[labels[square] - 1]
        if drawn:
            sprite = reshaped(rng, sprite[None])[0]
        if by_stamp:
            sprite = unevenly_inked(rng, sprite)
        dy = dx = 0
        if loose:
            dy, dx = rng.normal(0, wander / 2, 2)
            if tilt:
                sprite = turned(sprite, rng.normal(0, tilt), rng.uniform(0.95, 1.03))
        top = MARGIN + (row + 0.5) * CELL - sprite.shape[0] / 2 + shift_y + dy
        left = MARGIN + (column + 0.5) * CELL - sprite.shape[1] / 2 + shift_x + dx
        paste(picture, sprite, top, left)


def hatched_font_field(rng, artwork, labels, paper, ink):
    """A whole board set in a diagram font: glyphs with their squares, cell by cell. [384, 384, 3]"""
    glyphs = artwork.hatched[rng.choice(artwork.font_choices)]
    coverage = np.empty((FIELD, FIELD), np.float32)
    scaled = {}
    swap = rng.random() < 0.03
    for square in range(64):
        row, column = divmod(square, 8)
        key = (row + column + swap) % 2, (int(labels[square]) - 1) % 13
        if key not in scaled:
            scaled[key] = cv2.resize(np.asarray(glyphs[key]), (CELL, CELL), interpolation=cv2.INTER_AREA)
        coverage[row * CELL:(row + 1) * CELL, column * CELL:(column + 1) * CELL] = scaled[key]
    return paper + (ink - paper) * (coverage / 255)[..., None]


# What lies over the board

def cell(picture, square):
    """View [48, 48, 3] of a square of the picture."""
    row, column = divmod(int(square), 8)
    return picture[MARGIN + row * CELL:MARGIN + (row + 1) * CELL, MARGIN + column * CELL:MARGIN + (column + 1) * CELL]


def centre(square):
    """Integer (x, y) of a square's middle."""
    row, column = divmod(int(square), 8)
    return MARGIN + column * CELL + CELL // 2, MARGIN + row * CELL + CELL // 2


def random_mark_colour(rng):
    """RGB of an arrow, a circle or a dot."""
    return np.array(MARK_COLOURS[rng.integers(len(MARK_COLOURS))], np.float32) if rng.random() < 0.7 \
        else random_colour(rng, 0, 255)


def tint_squares(rng, picture):
    """Last move, selection, annotation: a few squares, seldom the whole board, or frames around squares."""
    if rng.random() < 0.03:
        over(picture[MARGIN:-MARGIN, MARGIN:-MARGIN], random_colour(rng, 0, 255), rng.uniform(0.15, 0.6))
    for square in rng.choice(64, rng.choice([1, 2, 2, 2, 3, 4, 8]), replace=False):
        colour, opacity = TINTS[rng.integers(len(TINTS))]
        if rng.random() < 0.35:
            colour, opacity = random_colour(rng, 0, 255), rng.uniform(0.2, 1)
        area = cell(picture, square)
        if rng.random() < 0.12:
            drawn = area.copy()
            width = int(rng.integers(1, 6))
            cv2.rectangle(drawn, (width // 2, width // 2), (CELL - 1 - width // 2,) * 2, tuple(map(float, colour)), width)
            over(area, drawn, max(opacity, 0.6))
        else:
            over(area, np.asarray(colour, np.float32), opacity)


def check_glow(rng, picture):
    """Red glow under a king in check."""
    y, x = np.mgrid[0:CELL, 0:CELL].astype(np.float32) - (CELL - 1) / 2
    opacity = np.clip(rng.uniform(1.0, 1.5) - np.hypot(y, x) / (CELL / 2), 0, 1)[..., None]
    over(cell(picture, rng.integers(64)), np.array([rng.uniform(150, 255), 20, 20], np.float32), opacity)


def draw_through(picture, opacity, draw):
    """Runs draw(copy) and blends the copy in."""
    drawn = picture.copy()
    draw(drawn)
    cv2.addWeighted(drawn, opacity, picture, 1 - opacity, 0, dst=picture)


def target_dots(rng, picture, labels):
    """Where the selected piece can go: dots on empty squares, rings or corners on occupied ones."""
    colour = (rng.uniform(0, 80, 3) if rng.random() < 0.6 else rng.uniform(0, 255, 3)).tolist()
    radius, ring = int(CELL * rng.uniform(0.07, 0.21)), int(CELL * rng.uniform(0.36, 0.48))
    square_dots, thickness = rng.random() < 0.1, int(rng.integers(2, 6))
    chosen = rng.choice(64, rng.integers(2, 20), replace=False)

    def draw(drawn):
        for target in chosen:
            x, y = centre(target)
            if labels[target] and rng.random() < 0.8:
                cv2.circle(drawn, (x, y), ring, colour, thickness, cv2.LINE_AA)
            elif square_dots:
                cv2.rectangle(drawn, (x - radius, y - radius), (x + radius, y + radius), colour, -1)
            else:
                cv2.circle(drawn, (x, y), radius, colour, -1, cv2.LINE_AA)
    draw_through(picture, rng.uniform(0.12, 1.0) if rng.random() < 0.6 else 1.0, draw)


def draw_arrows(rng, picture, thin=False):
    """Arrows between squares, straight or around the corner as a knight goes."""
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        colour = ((0.0, 0.0, 0.0) if thin and rng.random() < 0.8 else tuple(random_mark_colour(rng).tolist()))
        width = int(CELL * (rng.uniform(0.03, 0.07) if thin else rng.uniform(0.06, 0.24)))
        tail, head = rng.choice(64, 2, replace=False)
        tip = max(2.2 * width, CELL * 0.22)

        def draw(drawn):
            points = [np.array(centre(tail), float), np.array(centre(head), float)]
            if rng.random() < 0.12:
                points.insert(1, np.array([points[0][0], points[1][1]]))
            run = points[-1] - points[-2]
            length = max(1.0, float(np.hypot(*run)))
            run /= length
            neck = points[-1] - run * min(tip, 0.8 * length)
            side = np.array([-run[1], run[0]]) * tip * 0.6
            line = [*points[:-1], neck]
            for a, b in zip(line, line[1:]):
                if thin and rng.random() < 0.3:
                    for t in np.arange(0, 1, 0.12):
                        p, q = a + (b - a) * t, a + (b - a) * min(1, t + 0.07)
                        cv2.line(drawn, p.astype(int).tolist(), q.astype(int).tolist(), colour, max(1, width), cv2.LINE_AA)
                else:
                    cv2.line(drawn, a.astype(int).tolist(), b.astype(int).tolist(), colour, max(1, width), cv2.LINE_AA)
            cv2.fillPoly(drawn, [np.array([neck + side, points[-1], neck - side]).astype(np.int32)], colour, cv2.LINE_AA)
        draw_through(picture, 1.0 if thin else rng.uniform(0.4, 1.0), draw)


def draw_shapes(rng, picture, printed):
    """Circles, crosses and boxes around squares."""
    for square in rng.choice(64, rng.choice([1, 1, 2, 3, 6]), replace=False):
        x, y = centre(square)
        colour = (0.0, 0.0, 0.0) if printed and rng.random() < 0.7 else tuple(random_mark_colour(rng).tolist())
        width, radius = int(rng.integers(1, 5)), int(CELL * rng.uniform(0.28, 0.52))
        shape = rng.choice(["circle", "cross", "plus", "box", "disc"], p=[0.5, 0.2, 0.08, 0.17, 0.05])

        def draw(drawn):
            if shape == "circle":
                cv2.circle(drawn, (x, y), radius, colour, width, cv2.LINE_AA)
            elif shape == "disc":
                cv2.circle(drawn, (x, y), radius // 3, colour, -1, cv2.LINE_AA)
            elif shape == "box":
                cv2.rectangle(drawn, (x - CELL // 2, y - CELL // 2), (x + CELL // 2, y + CELL // 2), colour, width)
            else:
                dx, dy = (radius, radius) if shape == "cross" else (radius, 0)
                reach = rng.uniform(0.4, 0.9)
                dx, dy = int(dx * reach), int(dy * reach)
                cv2.line(drawn, (x - dx, y - dy), (x + dx, y + dy), colour, width, cv2.LINE_AA)
                cv2.line(drawn, (x - dy, y + dx), (x + dy, y - dx), colour, width, cv2.LINE_AA)
        draw_through(picture, rng.uniform(0.5, 1.0), draw)


def stamp_glyph(artwork, font, character, picture, x, y, size, colour, opacity=1.0):
    """Draws one character of GLYPHS centred on (x, y), `size` pixels for the glyph's 40; returns its box."""
    mask = np.asarray(artwork.glyphs[font, GLYPHS.index(character)])
    side = max(4, int(round(size)))
    mask = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255 * opacity
    paste(picture, np.concatenate([mask * np.asarray(colour, np.float32), mask], 2), y - side / 2, x - side / 2)
    return x - side * 0.35, y - side * 0.4, x + side * 0.35, y + side * 0.4


def badges(rng, artwork, picture):
    """Evaluation icons: a disc with a sign at a square's corner, reaching over the piece and the neighbours."""
    for square in rng.choice(64, rng.choice([1, 1, 2]), replace=False):
        x, y = centre(square)
        corner_x, corner_y = rng.choice([-1, 1, 1, 1]), rng.choice([-1, -1, -1, 1])
        radius = CELL * rng.uniform(0.14, 0.24)
        reach = rng.uniform(0.32, 0.5) * CELL
        x, y = int(x + corner_x * reach), int(y + corner_y * reach)
        colour = tuple(map(float, BADGE_COLOURS[rng.integers(len(BADGE_COLOURS))]))
        draw_through(picture, 1.0, lambda drawn: cv2.circle(drawn, (x, y), int(radius), colour, -1, cv2.LINE_AA))
        font, white = int(rng.integers(len(artwork.glyphs))), (255.0, 255.0, 255.0)
        sign = str(rng.choice(["!", "!!", "?", "??", "?!", "x", "+", "#", "1", "2", "3"]))
        for i, character in enumerate(sign):
            stamp_glyph(artwork, font, character, picture, x + (i - (len(sign) - 1) / 2) * radius * 0.7, y,
                        radius * 1.7, white)


def mouse_pointer(rng, artwork, picture):
    """A pointer or hand somewhere on the board."""
    side = int(CELL * rng.uniform(0.3, 0.75))
    sprite = cv2.resize(premultiplied(artwork.pointers[rng.integers(len(artwork.pointers))]), (side, side),
                        interpolation=cv2.INTER_AREA)
    paste(picture, sprite, MARGIN + rng.uniform(0, FIELD), MARGIN + rng.uniform(0, FIELD))


def inside_coordinates(rng, artwork, picture, black_below):
    """Small coordinates in the corners of the edge squares; returns the Marks."""
    font = int(rng.integers(len(artwork.glyphs)))
    size, inset = CELL * rng.uniform(0.22, 0.42), rng.uniform(0.1, 0.17) * CELL
    upper, everywhere = rng.random() < 0.12, rng.random() < 0.05
    rank_left, rank_top = rng.random() < 0.6, rng.random() < 0.85
    file_left, file_bottom = rng.random() < 0.5, rng.random() < 0.9
    fixed = rng.uniform(0, 255, 3) if rng.random() < 0.25 else None
    marks = []

    def put(character, square, left, top):
        x, y = centre(square)
        half = CELL / 2 - inset
        x, y = x + (-half if left else half), y + (-half if top else half)
        other = cell(picture, square + (1 if square % 8 < 7 else -1))
        colour = fixed if fixed is not None else other[4:8, 4:8].mean((0, 1))
        box = stamp_glyph(artwork, font, character, picture, x, y, size, colour)
        marks.append(Mark(character, box, True))
    for i in range(8):
        rank, letter = ("12345678" if black_below else "87654321")[i], ("hgfedcba" if black_below else "abcdefgh")[i]
        for j in range(8) if everywhere else (0,):
            put(rank, i * 8 + (j if rank_left else 7 - j), rank_left, rank_top)
            put(letter.upper() if upper else letter, (7 - j if file_bottom else j) * 8 + i, file_left != everywhere and
                file_left, not file_bottom)
    return marks


def outside_coordinates(rng, artwork, picture, black_below, ink):
    """Coordinates beside the field; returns the Marks."""
    font = int(rng.integers(len(artwork.glyphs)))
    size, distance = CELL * rng.uniform(0.3, 0.75), rng.uniform(0.22, 0.5) * CELL
    upper = rng.random() < 0.2
    left, right, top, bottom = [(1, 0, 0, 1), (1, 1, 1, 1), (0, 1, 0, 1), (1, 0, 1, 0)][
        rng.choice(4, p=[0.65, 0.22, 0.08, 0.05])]
    marks = []
    for i in range(8):
        rank, letter = ("12345678" if black_below else "87654321")[i], ("hgfedcba" if black_below else "abcdefgh")[i]
        letter = letter.upper() if upper else letter
        along, near, far = MARGIN + (i + 0.5) * CELL, MARGIN - distance, MARGIN + FIELD + distance
        for wanted, text, x, y in ((left, rank, near, along), (right, rank, far, along), (top, letter, along, near),
                                   (bottom, letter, along, far)):
            if wanted:
                marks.append(Mark(text, stamp_glyph(artwork, font, text, picture, x, y, size, ink), False))
    return marks


def draw_frame(rng, artwork, picture, printed, ink):
    """One line, two, a bar, or a wooden rim."""
    low, high = MARGIN, MARGIN + FIELD - 1
    if not printed and rng.random() < 0.35:
        width = int(rng.integers(6, MARGIN - 4))
        if rng.random() < 0.5:
            rim = np.asarray(artwork.textures[rng.integers(len(artwork.textures))]).astype(np.float32)
            rim = cv2.resize(rim, (PICTURE, PICTURE), interpolation=cv2.INTER_LINEAR)
        else:
            rim = np.tile(random_colour(rng, 0, 255), (PICTURE, PICTURE, 1))
        inner = picture[MARGIN:-MARGIN, MARGIN:-MARGIN].copy()
        picture[low - width:high + width + 1, low - width:high + width + 1] = \
            rim[low - width:high + width + 1, low - width:high + width + 1]
        picture[MARGIN:-MARGIN, MARGIN:-MARGIN] = inner
        return
    colour = tuple(np.asarray(ink).tolist()) if printed or rng.random() < 0.5 else tuple(random_colour(rng, 0, 255).tolist())
    gap = 0
    for _ in range(rng.choice([1, 1, 2, 3], p=[0.35, 0.25, 0.3, 0.1])):
        width = int(rng.choice([1, 1, 2, 3, 5]))
        for k in range(width):
            reach = gap + k + 1
            if reach < MARGIN:
                cv2.rectangle(picture, (low - reach, low - reach), (high + reach, high + reach), colour, 1)
        gap += width + int(rng.integers(2, 6))


# Ink on paper

def ink_spread(rng, picture):
    """Ink runs wide or breaks off: the outlines of old and copied print."""
    kind = rng.choice(["spread", "erode", "soft", "broken"])
    if kind == "spread":
        return cv2.erode(picture, np.ones((2, 2) if rng.random() < 0.6 else (3, 3), np.uint8))
    if kind == "erode":
        return cv2.dilate(picture, np.ones((2, 2), np.uint8))
    if kind == "soft":
        smooth = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.8, 2))
        return np.clip((smooth - 128) * rng.uniform(1.5, 4) + rng.uniform(100, 160), 0, 255)
    grain = cv2.GaussianBlur(rng.random((PICTURE, PICTURE), np.float32), (0, 0), rng.uniform(0.7, 3))
    grain = (grain - grain.mean()) / grain.std()
    missing = np.clip((grain - rng.uniform(0.6, 2)) * 3, 0, 1)[..., None]
    paper = np.percentile(picture[::8, ::8].reshape(-1, 3), 90, axis=0).astype(np.float32)
    return picture + (paper - picture) * missing


def unsteady(rng, picture):
    """Elastic deformation, as if drawn by hand; straight lines become a little wavy."""
    coarse = int(rng.choice([8, 14, 24, 40]))
    strength = rng.uniform(0.4, 1.0) * 44 / coarse
    maps = []
    for axis in range(2):
        shift = cv2.resize(rng.normal(0, strength * 0.55, (coarse, coarse)).astype(np.float32), (PICTURE, PICTURE),
                           interpolation=cv2.INTER_CUBIC)
        maps.append(np.indices((PICTURE, PICTURE), np.float32)[1 - axis] + shift)
    return cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


# The whole board

def render_board(rng, artwork, printed=None, labels=None, black_below=None, coordinates=None):
    """A clean random board as a `Board`.

    `rng`: numpy Generator. `artwork`: artwork.Artwork. What is None is chosen at random: `printed` (print or screen),
    `labels` [64] in picture order with `black_below`, `coordinates` ("none", "inside", "outside").
    """
    if labels is None:
        labels, black_below = random_labels(rng, artwork)
    printed = bool(rng.random() < 0.5) if printed is None else printed
    if coordinates is None:
        coordinates = rng.choice(["none", "inside", "outside"], p=[0.6, 0.05, 0.35] if printed else [0.3, 0.4, 0.3])
    paper, ink = paper_and_ink(rng, artwork)
    picture = np.empty((PICTURE, PICTURE, 3), np.float32)
    inner = picture[MARGIN:-MARGIN, MARGIN:-MARGIN]
    marks = []
    if printed:
        picture[:] = surround = paper
        if rng.random() < 0.85:
            draw_frame(rng, artwork, picture, True, ink)
        if rng.random() < 0.4:
            inner[:] = hatched_font_field(rng, artwork, labels, paper, ink)
            if rng.random() < 0.1:
                tint_squares(rng, picture)
        else:
            inner[:] = print_field(rng, artwork, paper, ink)
            if rng.random() < 0.06:
                tint_squares(rng, picture)
            draw_pieces(rng, artwork, picture, labels, True, paper, ink)
        if rng.random() < 0.06:
            draw_arrows(rng, picture, thin=rng.random() < 0.75)
        if rng.random() < 0.05:
            draw_shapes(rng, picture, True)
        if coordinates == "inside":
            marks = inside_coordinates(rng, artwork, picture, black_below)
        if coordinates == "outside":
            marks = outside_coordinates(rng, artwork, picture, black_below, ink)
        if rng.random() < 0.3:
            picture = ink_spread(rng, picture)
        if rng.random() < 0.25:
            picture = unsteady(rng, picture)
    else:
        board, surround = screen_field(rng, artwork)
        picture[:] = surround
        inner[:] = board
        if rng.random() < 0.35:
            draw_frame(rng, artwork, picture, False, ink)
        if rng.random() < 0.45:
            tint_squares(rng, picture)
        if rng.random() < 0.1:
            check_glow(rng, picture)
        if coordinates == "inside":
            marks = inside_coordinates(rng, artwork, picture, black_below)
        dots_below = rng.random() < 0.5
        dots = rng.random() < 0.15
        if dots and dots_below:
            target_dots(rng, picture, labels)
        draw_pieces(rng, artwork, picture, labels, False, paper, ink)
        if dots and not dots_below:
            target_dots(rng, picture, labels)
        if rng.random() < 0.2:
            draw_arrows(rng, picture)
        if rng.random() < 0.07:
            draw_shapes(rng, picture, False)
        if rng.random() < 0.12:
            badges(rng, artwork, picture)
        if rng.random() < 0.08:
            mouse_pointer(rng, artwork, picture)
        if coordinates == "outside":
            light = 255.0 if surround @ LUMA < 120 else 0.0
            marks = outside_coordinates(rng, artwork, picture, black_below, np.abs(light - random_colour(rng, 0, 90)))
        if rng.random() < 0.04:    # behind a dialogue
            picture *= rng.uniform(0.35, 0.8)
    if rng.random() < 0.012:       # light ink on dark
        picture = 255 - picture
        surround = 255 - surround
    return Board(np.clip(picture, 0, 255).astype(np.uint8), FIELD_QUAD.copy(), np.asarray(labels, np.uint8), black_below,
                 printed, surround, marks)


def plain_board(rng, artwork):
    """A board of a real position as its artist meant it: a known theme or print in ink and grey, nothing laid over."""
    labels = np.array(artwork.positions[rng.integers(len(artwork.positions))])
    printed = bool(rng.random() < 0.5)
    paper, ink = np.full(3, 250, np.float32), np.full(3, 20, np.float32)
    picture = np.tile(paper, (PICTURE, PICTURE, 1))
    inner = picture[MARGIN:-MARGIN, MARGIN:-MARGIN]
    if printed and rng.random() < 0.5:
        inner[:] = hatched_font_field(rng, artwork, labels, paper, ink)
    else:
        themes = artwork.colours if not printed else [(paper, paper * rng.uniform(0.6, 0.85))]
        inner[:] = chequered(*np.array(themes[rng.integers(len(themes))], np.float32))
        side = int(round(CELL * rng.uniform(0.8, 1)))
        sprites = [cv2.resize(premultiplied(np.array(sprite)), (side, side), interpolation=cv2.INTER_AREA)
                   for sprite in artwork.pieces[artwork.choose_set(rng, printed)]]
        if printed:
            sprites = [with_halo(sprite, paper, 2) for sprite in sprites]
        for square in np.flatnonzero(labels):
            row, column = divmod(int(square), 8)
            sprite = sprites[labels[square] - 1]
            paste(picture, sprite, MARGIN + (row + 0.5) * CELL - sprite.shape[0] / 2,
                  MARGIN + (column + 0.5) * CELL - sprite.shape[1] / 2)
    return Board(np.clip(picture, 0, 255).astype(np.uint8), FIELD_QUAD.copy(), labels.astype(np.uint8), False, printed, paper)


def contact_sheet(pictures, columns=8):
    """Pictures of one size side by side, row by row."""
    rows = [np.hstack(pictures[i:i + columns]) for i in range(0, len(pictures) - columns + 1, columns)]
    return np.vstack(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artwork", type=Path, default=ARTWORK)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("boards.png"))
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng, artwork = np.random.default_rng(arguments.seed), Artwork(arguments.artwork)
    pictures = [cv2.resize(render_board(rng, artwork).picture, (236, 236), interpolation=cv2.INTER_AREA)
                for _ in range(48)]
    cv2.imwrite(str(arguments.out), contact_sheet(pictures)[..., ::-1])


if __name__ == "__main__":
    main()
