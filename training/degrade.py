"""Spoils clean boards as screenshots, scans and photos do, and rectifies them as the reader does.

    python degrade.py --out spoiled.png       # 48 rectified boards to look at

`spoil(rng, board)` gives a picture (uint8 RGB) and the board's true quad in it; `rectify(picture, quad)` cuts the board
out as 264x264. Quads count pixel edges from 0: the first pixel's centre is at (0.5, 0.5).
"""
import argparse
from pathlib import Path

import cv2
import numpy as np

from artwork import ARTWORK, Artwork
from render_boards import CELL, LUMA, PICTURE, contact_sheet, render_board

SQUARE = 32                          # pixels per square of a rectified board
BORDER = 4                           # pixels kept around it
RECTIFIED = 8 * SQUARE + 2 * BORDER  # side of a rectified board: 264
SHARP_SQUARE = 42                    # source squares larger than this (pixels) are blurred before shrinking


# Rectifying

def side_of(quad):
    """Side in pixels of the square with the quad's area."""
    return float(np.sqrt(abs(cv2.contourArea(np.asarray(quad, np.float32)))))


def rectify(picture, quad):
    """The board inside `quad` (corners clockwise from its top left) as uint8 [264, 264, 3]."""
    square = side_of(quad) / 8
    if square > SHARP_SQUARE:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.35 * square / SQUARE)
    low, high = BORDER - 0.5, RECTIFIED - BORDER - 0.5
    target = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    warp = cv2.getPerspectiveTransform(np.asarray(quad, np.float32) - 0.5, target)
    return cv2.warpPerspective(picture, warp, (RECTIFIED, RECTIFIED), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_REPLICATE)


def shaken(rng, quad):
    """The quad with its corners off by a few percent of a square, as a locator leaves them."""
    spread = rng.choice([0.012, 0.028, 0.05, 0.085], p=[0.3, 0.45, 0.2, 0.05]) * side_of(quad) / 8
    common = rng.normal(0, spread * 0.5, 2)
    return (quad + rng.normal(0, spread, (4, 2)) + common).astype(np.float32)


# Size and geometry

def random_square(rng, kind, gentle):
    """Side of a square in pixels of the spoiled picture."""
    low = 18 if gentle else {"clean": 8, "scan": 10, "photo": 11}[kind]
    if not gentle and rng.random() < 0.12:
        return rng.uniform(7, 14)
    return float(np.exp(rng.uniform(np.log(low), np.log(66))))


def resize(rng, picture, quad, square):
    """Upright scaling, by any of the usual methods."""
    scale = square / CELL
    fx = fy = scale
    if rng.random() < 0.1:
        fx *= rng.uniform(0.93, 1.07)
    width, height = max(60, round(PICTURE * fx)), max(60, round(PICTURE * fy))
    methods = [cv2.INTER_AREA, cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4]
    if scale > 0.8:
        methods = [cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4, cv2.INTER_NEAREST]
    method = int(rng.choice(methods))
    if scale < 0.7 and method != cv2.INTER_AREA and rng.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.35 / scale)
    picture = cv2.resize(picture, (width, height), interpolation=method)
    return picture, quad * np.array([width / PICTURE, height / PICTURE], np.float32)


def photograph(rng, picture, quad, square, tilt, perspective, curvature):
    """Turns, foreshortens and bends; `tilt` in degrees, `perspective` and `curvature` in parts of the side."""
    side = int(PICTURE * square / CELL)
    middle = np.float32([PICTURE / 2, PICTURE / 2])
    angle = np.radians(rng.normal(0, tilt))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    to = (quad - middle) @ turn.T * (side / PICTURE) + side / 2
    to += rng.normal(0, perspective, (4, 2)).astype(np.float32) * side_of(to) * 0.5
    warp = cv2.getPerspectiveTransform(quad - 0.5, to.astype(np.float32) - 0.5)
    scale = side_of(to) / side_of(quad)
    if scale < 0.9:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.55) / scale)
    if curvature:
        bend = rng.normal(0, curvature) * PICTURE
        along = np.linspace(-1, 1, PICTURE, dtype=np.float32)
        curve = bend * (along ** 2 - (0.8 if rng.random() < 0.5 else 0.6)) + bend * rng.uniform(-0.6, 0.6) * along ** 3
        y, x = np.indices((PICTURE, PICTURE), np.float32)
        if rng.random() < 0.8:
            y = y + curve[None]
        else:
            x = x + curve[:, None]
        picture = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.warpPerspective(picture, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return picture, to.astype(np.float32)


# Light, lens and paper: float32 RGB in, float32 RGB out

def blur(rng, picture, square):
    """Out of focus, up to 9 % of a square."""
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.3 + 0.06 * square * rng.random()))


def motion_blur(rng, picture, square):
    """Blur along a line of 5..15 % of a square."""
    length = int(max(3, square * rng.uniform(0.05, 0.15))) | 1
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    turn = cv2.getRotationMatrix2D((length // 2, length // 2), rng.uniform(0, 180), 1)
    kernel = cv2.warpAffine(kernel, turn, (length, length))
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def uneven_light(rng, picture, strength):
    """Darkens smoothly by up to `strength` (0..1), evenly in all channels or nearly so."""
    height, width = picture.shape[:2]
    shade = cv2.resize(rng.random((3, 3), np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    tint = 1 - rng.uniform(0, 0.2, 3).astype(np.float32)
    return picture * (1 - rng.uniform(0.1, strength) * shade[..., None] * tint)


def shadow(rng, picture):
    """A shadow with an edge across the board."""
    height, width = picture.shape[:2]
    angle, softness = rng.uniform(0, 2 * np.pi), rng.uniform(0.01, 0.15) * width
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    depth = (x - width * rng.uniform(0.2, 0.8)) * np.cos(angle) + (y - height * rng.uniform(0.2, 0.8)) * np.sin(angle)
    dark = 1 / (1 + np.exp(-np.clip(depth / softness, -20, 20)))
    colour = rng.uniform(0.35, 0.85) * (1 + rng.uniform(-0.08, 0.08, 3)).astype(np.float32)
    if rng.random() < 0.1:         # a coloured overlay with a sharp edge, as a selection or a highlighter leaves
        dark, colour = (depth > 0).astype(np.float32), rng.uniform(0.5, 1, 3).astype(np.float32)
    return picture * (1 - dark[..., None] * (1 - colour))


def glare(rng, picture):
    """A bright spot or a bright band."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = (y - rng.uniform(0, height)) / height, (x - rng.uniform(0, width)) / width
    if rng.random() < 0.3:
        angle = rng.uniform(0, np.pi)
        y, x = y * np.cos(angle) + x * np.sin(angle), 0
    spot = np.exp(-(y ** 2 + x ** 2) / (2 * rng.uniform(0.05, 0.3) ** 2)) * rng.uniform(30, 160)
    return picture + spot[..., None] * (1 + rng.uniform(-0.15, 0.15, 3)).astype(np.float32)


def moire(rng, picture):
    """Waves of 2..12 pixels, coloured or not, as in photos of screens."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, period = rng.uniform(0, np.pi), rng.uniform(2, 12)
    phase = 2 * np.pi * (x * np.cos(angle) + y * np.sin(angle) + rng.uniform(0, 3) * np.sin(y / rng.uniform(8, 60))) / period
    offsets = rng.uniform(0, 2, 3) if rng.random() < 0.6 else np.zeros(3)
    waves = np.sin(phase[..., None] + offsets.astype(np.float32))
    return picture * (1 + rng.uniform(0.02, 0.13) * waves)


def paper_texture(rng, picture):
    """Fibres, stains and grain."""
    height, width = picture.shape[:2]
    texture = np.zeros((height, width), np.float32)
    for cells in (6, 30, 120):
        texture += cv2.resize(rng.normal(0, 1, (cells, cells)).astype(np.float32), (width, height),
                              interpolation=cv2.INTER_LINEAR) * rng.uniform(0, 1)
    return picture + (texture * rng.uniform(2, 10))[..., None]


def bleed_through(rng, picture):
    """The other side of the page shines through, mirrored."""
    other = cv2.GaussianBlur(picture[:, ::-1], (0, 0), max(0.5, rng.uniform(0.005, 0.015) * len(picture)))
    shift = rng.integers(-len(picture) // 5, len(picture) // 5 + 1, 2)
    other = np.roll(other, shift, (0, 1))
    strength = rng.uniform(0.03, 0.16)
    return picture - (other.max() - other) * strength


def change_tone(rng, picture):
    """Contrast, brightness, gamma and colour cast."""
    if rng.random() < 0.6:
        contrast = rng.uniform(0.4, 1.15)
        picture = picture * contrast + rng.uniform(-15, 235 * (1 - contrast) if contrast < 1 else 10)
    if rng.random() < 0.45:
        picture = 255 * (np.clip(picture, 0, 255) / 255) ** np.float32(np.exp(rng.uniform(-0.6, 0.6)))
    if rng.random() < 0.35:
        picture = picture * rng.uniform(0.72, 1.1, 3).astype(np.float32)
    if rng.random() < 0.15:
        grey = (picture @ LUMA)[..., None]
        picture = grey + (picture - grey) * rng.uniform(0.2, 1.5)
    return picture


def to_grey(rng, picture):
    """Grey by luma or from one channel, still RGB."""
    grey = picture @ LUMA if rng.random() < 0.85 else picture[..., rng.integers(3)]
    return np.repeat(grey[..., None], 3, 2)


def noise(rng, picture):
    """Sensor noise, fine or clumped, per channel or in all alike."""
    height, width = picture.shape[:2]
    grain = rng.standard_normal((height, width, 3 if rng.random() < 0.5 else 1), np.float32)
    if rng.random() < 0.35:
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 1.2)).reshape(height, width, -1) * 2
    return picture + grain * np.exp(rng.uniform(np.log(1), np.log(16)))


def binarise(rng, picture):
    """Black and white as a copier or a fax leaves it, sometimes softened after."""
    grey = cv2.GaussianBlur(picture @ LUMA, (0, 0), rng.uniform(0.3, 1.0))
    low, high = np.percentile(grey, [3, 90])
    level = low + (high - low) * rng.uniform(0.35, 0.75)
    if rng.random() < 0.3:
        level = cv2.GaussianBlur(grey, (0, 0), len(grey) / rng.uniform(8, 30)) - rng.uniform(2, 20)
    black = np.where(grey + rng.normal(0, rng.uniform(0, 0.06) * (high - low), grey.shape) > level, 255.0, 0.0).astype(np.float32)
    if rng.random() < 0.6:
        black = cv2.GaussianBlur(black, (0, 0), rng.uniform(0.4, 1))
    return np.repeat(black[..., None], 3, 2)


def sharpen(rng, picture):
    """Unsharp mask, with its bright rims."""
    smooth = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 2))
    return picture + (picture - smooth) * rng.uniform(0.3, 1.5)


def intrude(rng, picture, quad):
    """Something from outside reaches over the board's edge: a strip, a thumb, a caption."""
    height, width = picture.shape[:2]
    colour = rng.uniform(0, 255, 3)
    corner = quad[rng.integers(4)]
    side = side_of(quad)
    if rng.random() < 0.5:
        edge = (quad[0] + (quad[1] - quad[0]) * rng.random()) if rng.random() < 0.5 else \
            (quad[3] + (quad[2] - quad[3]) * rng.random())
        axes = (int(side * rng.uniform(0.03, 0.12)), int(side * rng.uniform(0.03, 0.07)))
        cv2.ellipse(picture, (int(edge[0]), int(edge[1])), axes, rng.uniform(0, 180), 0, 360, colour.tolist(), -1, cv2.LINE_AA)
    else:
        reach = int(side * rng.uniform(0, 0.025))
        if rng.random() < 0.5:
            picture[:max(0, int(quad[0, 1]) + reach)] = colour
        else:
            picture[min(height, int(corner[1]) - reach) if corner[1] > height / 2 else height:] = colour


def jpeg(picture, quality):
    """uint8 RGB through JPEG."""
    coded = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
    return cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1]


def spoil(rng, board):
    """A render_boards.Board as a picture somebody has: (uint8 RGB [h, w, 3], quad float32 [4, 2]).

    Seven in ten are spoiled gently, as most real pictures are: what is hard about them is their artwork.
    """
    gentle = rng.random() < 0.7
    kind = rng.choice(["clean", "scan", "photo"], p=[0.22, 0.45, 0.33] if board.printed else [0.58, 0.07, 0.35])
    square = random_square(rng, kind, gentle)
    picture, quad = board.picture, board.quad
    if kind == "clean":
        picture, quad = resize(rng, picture, quad, square)
    elif kind == "scan":
        if rng.random() < 0.3:
            picture, quad = resize(rng, picture, quad, square)
        else:
            picture, quad = photograph(rng, picture, quad, square, 1.2, 0.004, 0.006 if rng.random() < 0.3 else 0)
    else:
        tilt, perspective = (4, 0.04) if rng.random() < 0.85 else (25, 0.09)
        picture, quad = photograph(rng, picture, quad, square, tilt, perspective,
                                   0.01 if board.printed and rng.random() < 0.4 else 0)
    picture = picture.astype(np.float32)

    def maybe(chances, effect, *arguments):
        nonlocal picture
        if rng.random() < chances[kind] * (0.4 if gentle else 1):
            picture = effect(rng, picture, *arguments)

    if rng.random() < 0.05:
        intrude(rng, picture, quad)
    maybe({"clean": 0, "scan": 0.3, "photo": 0.2 * board.printed}, paper_texture)
    maybe({"clean": 0, "scan": 0.1, "photo": 0.08 * board.printed}, bleed_through)
    maybe({"clean": 0.12, "scan": 0.4, "photo": 0.55}, blur, square)
    maybe({"clean": 0, "scan": 0.02, "photo": 0.18}, motion_blur, square)
    maybe({"clean": 0, "scan": 0.12, "photo": 0.5}, uneven_light, 0.6)
    maybe({"clean": 0.01, "scan": 0.03, "photo": 0.13}, shadow)
    maybe({"clean": 0, "scan": 0, "photo": 0.12}, glare)
    maybe({"clean": 0, "scan": 0, "photo": 0.07 if board.printed else 0.45}, moire)
    maybe({"clean": 0.15, "scan": 0.6, "photo": 0.75}, change_tone)
    maybe({"clean": 0.1, "scan": 0.5, "photo": 0.12}, to_grey)
    maybe({"clean": 0.05, "scan": 0.4, "photo": 0.6}, noise)
    maybe({"clean": 0.03, "scan": 0.22, "photo": 0.03}, binarise)
    maybe({"clean": 0.06, "scan": 0.15, "photo": 0.15}, sharpen)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.55:
        picture = jpeg(picture, rng.uniform(40 if gentle else 15, 95))
    if rng.random() < 0.12:        # saved once more at another size
        scale = rng.uniform(0.6, 1.8)
        if square * scale > 8:
            height, width = picture.shape[:2]
            picture = cv2.resize(np.ascontiguousarray(picture), None, fx=scale, fy=scale,
                                 interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
            quad = quad * np.array([picture.shape[1] / width, picture.shape[0] / height], np.float32)
            if rng.random() < 0.5:
                picture = jpeg(picture, rng.uniform(25, 90))
    return np.ascontiguousarray(picture), quad.astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artwork", type=Path, default=ARTWORK)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("spoiled.png"))
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng, artwork = np.random.default_rng(arguments.seed), Artwork(arguments.artwork)
    boards = [rectify(*spoil(rng, render_board(rng, artwork))) for _ in range(48)]
    cv2.imwrite(str(arguments.out), contact_sheet(boards)[..., ::-1])


if __name__ == "__main__":
    main()
