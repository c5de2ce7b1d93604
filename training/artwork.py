"""Gathers the artwork that training boards are drawn with into arrays that open in a moment.

    python artwork.py --assets ../../shared/assets --out artwork     # once, a minute

writes `artwork/*.npy` and `artwork/index.json`; `Artwork("artwork")` opens them memory-mapped, so that many
processes share them. All pictures are uint8; colour is RGB; a sprite is RGBA with straight alpha.
"""
import argparse
import gzip
import io
import json
from pathlib import Path

import numpy as np
import resvg_py
from PIL import Image, ImageDraw, ImageFont

ASSETS = Path(__file__).resolve().parents[1] / "../shared/assets"
ARTWORK = Path("artwork")

PIECES = "KQRBNPkqrbnp"
CLASSES = "." + PIECES           # label 0 is an empty square, 1..12 are pieces
SPRITE = 96                      # side of a piece sprite and of a glyph of a hatched font
FIELD = 384                      # side of a whole-board picture, tiles are an eighth of it
TEXTURE = 256
POINTER = 48
GLYPH = 40                       # side of a letter or digit
GLYPHS = "abcdefghABCDEFGH0123456789!?+x#"
HATCHED = [*PIECES, "empty"]     # order of a hatched font's glyphs on each square colour

# One artwork family in ten is kept out of training: its boards measure how the networks do on unseen pieces.
HELD_OUT_FAMILIES_EVERY, HELD_OUT_FAMILIES_REST = 10, 3

# How often a style is chosen, relative to the others: what books, sites and apps use comes first.
STYLE_WEIGHTS = {"screen": 1.0, "print": 1.0, "font": 1.0, "3dlook": 2.0, "novelty": 0.5, "letter": 0.15}


def stem_of(piece):
    """File name of a piece: 'wK' for 'K', 'bK' for 'k'."""
    return ("w" if piece.isupper() else "b") + piece.upper()


def read_picture(stem, side):
    """`stem`.svg or `stem`.png as uint8 RGBA [side, side, 4], centred on a square."""
    if stem.with_suffix(".svg").exists():
        data = bytes(resvg_py.svg_to_bytes(svg_path=str(stem.with_suffix(".svg")), width=side, height=side))
        image = Image.open(io.BytesIO(data)).convert("RGBA")
    else:
        image = Image.open(stem.with_suffix(".png")).convert("RGBA")
    longest = max(image.size)
    square = Image.new("RGBA", (longest, longest))
    square.paste(image, ((longest - image.width) // 2, (longest - image.height) // 2))
    return np.asarray(square.resize((side, side), Image.LANCZOS))


def labels_of_placement(placement):
    """FEN placement -> labels uint8 [64] in picture order with White below."""
    labels = []
    for symbol in placement.replace("/", ""):
        labels += [0] * int(symbol) if symbol.isdigit() else [CLASSES.index(symbol)]
    return np.array(labels, np.uint8)


def hex_colour(text):
    """'#rrggbb' -> [r, g, b]."""
    return [int(text[i:i + 2], 16) for i in (1, 3, 5)]


def family_of_font(name, sets):
    """Artwork family of a hatched font: that of the piece set drawn from it, or one of its own (a text)."""
    name = {"good-companions2": "good-companion", "skaknew-t": "skaknew", "spsl-black": "spsl",
            "millennia-d": "millennia"}.get(name, name)
    for candidate in (f"font-{name}", f"lichess-{name}", f"sharechess-{name}"):
        for piece_set in sets:
            if piece_set["name"] == candidate:
                return piece_set["family"]
    return name


def is_held_out(family):
    """Whether boards with artwork of this family stay out of training."""
    number = family if isinstance(family, int) else sum(map(ord, family))
    return number % HELD_OUT_FAMILIES_EVERY == HELD_OUT_FAMILIES_REST


def glyph_masks(font_path):
    """Coverage masks uint8 [len(GLYPHS), 40, 40] of one text font, centred."""
    font, masks = ImageFont.truetype(str(font_path), 34), []
    for character in GLYPHS:
        image = Image.new("L", (GLYPH, GLYPH))
        ImageDraw.Draw(image).text((GLYPH / 2, GLYPH / 2), character, fill=255, font=font, anchor="mm")
        masks.append(np.asarray(image))
    return np.stack(masks)


def read_rgb(path, side):
    """A picture as uint8 RGB [side, side, 3]."""
    return np.asarray(Image.open(path).convert("RGB").resize((side, side), Image.LANCZOS))


def exists(stem):
    """Whether a picture with this stem is there."""
    return stem.with_suffix(".svg").exists() or stem.with_suffix(".png").exists()


def read_hatched_font(folder):
    """Ink coverage [2, 13, 96, 96] of a font's glyphs on light and dark squares, or None if it is not whole."""
    cells = []
    for colour in ("light", "dark"):
        stems = [folder / colour / ("empty" if piece == "empty" else stem_of(piece)) for piece in HATCHED]
        if not all(map(exists, stems[:12])) or colour == "dark" and not exists(stems[12]):
            return None
        cells.append(np.stack([read_picture(stem, SPRITE)[..., 3] if exists(stem)
                               else np.zeros((SPRITE, SPRITE), np.uint8) for stem in stems]))
    return np.stack(cells)


def build(assets, out):
    """Reads the assets folder once and writes the arrays."""
    out.mkdir(parents=True, exist_ok=True)
    sets = json.loads((assets / "index.json").read_text())
    pieces = np.lib.format.open_memmap(out / "pieces.npy", "w+", np.uint8, (len(sets), 12, SPRITE, SPRITE, 4))
    for index, piece_set in enumerate(sets):
        for number, piece in enumerate(PIECES):
            pieces[index, number] = read_picture(assets / "pieces" / piece_set["name"] / stem_of(piece), SPRITE)
    pieces.flush()

    fonts, glyphs = [], []
    for folder in sorted((assets / "hatched").iterdir()):
        if (cells := read_hatched_font(folder)) is not None:
            fonts.append({"name": folder.name, "family": family_of_font(folder.name, sets)})
            glyphs.append(cells)
    np.save(out / "hatched.npy", np.stack(glyphs))

    folder = assets / "boards"
    boards = json.loads((folder / "boards.json").read_text()).values()
    np.save(out / "boards.npy", np.stack([read_rgb(folder / board["file"], FIELD) for board in boards]))
    tiles = json.loads((folder / "tiles.json").read_text()).values()
    np.save(out / "tiles.npy", np.stack([[read_rgb(folder / tile[colour], FIELD // 8) for colour in ("light", "dark")]
                                         for tile in tiles]))
    textures = json.loads((folder / "textures.json").read_text()).values()
    np.save(out / "textures.npy", np.stack([read_rgb(folder / texture["file"], TEXTURE) for texture in textures]))
    colours = json.loads((folder / "colours.json").read_text())
    np.save(out / "colours.npy", np.array([[hex_colour(c["light"]), hex_colour(c["dark"])] for c in colours], np.uint8))
    pointers = sorted((assets / "overlays" / "cv-mouse").glob("*.png"))
    np.save(out / "pointers.npy", np.stack([read_picture(path.with_suffix(""), POINTER) for path in pointers]))

    text_fonts = [path for path in sorted((assets / "fonts").iterdir()) if path.suffix in (".ttf", ".otf")]
    np.save(out / "glyphs.npy", np.stack([glyph_masks(path) for path in text_fonts]))

    positions = []
    for path in sorted((assets / "positions").glob("*.fen.gz")):
        with gzip.open(path, "rt") as lines:
            positions += [labels_of_placement(line.split()[0]) for line in lines]
    np.save(out / "positions.npy", np.stack(positions))

    index = {"sets": [{key: s[key] for key in ("name", "style", "family")} for s in sets], "hatched": fonts,
             "prints": [i for i, colour in enumerate(colours) if colour["print"]]}
    (out / "index.json").write_text(json.dumps(index, indent=1))
    print(f"{len(sets)} piece sets, {len(fonts)} hatched fonts, {len(boards)} boards, {len(tiles)} tile pairs, "
          f"{len(textures)} textures, {len(text_fonts)} text fonts, {len(positions)} positions")


class Artwork:
    """Everything boards are drawn with, memory-mapped.

    `pieces` [sets, 12, 96, 96, 4]; `hatched` ink coverage [fonts, 2 (light, dark square), 13 (HATCHED), 96, 96];
    `boards` [n, 384, 384, 3]; `tiles` [n, 2 (light, dark), 48, 48, 3]; `textures` [n, 256, 256, 3];
    `colours` [n, 2 (light, dark), 3]; `pointers` [n, 48, 48, 4]; `glyphs` [text fonts, GLYPHS, 40, 40];
    `positions` labels [n, 64] with White below.
    """

    def __init__(self, folder=ARTWORK, part="training"):
        """`part`: "training" leaves the held-out families out, "held-out" takes only those, "all" takes every one."""
        folder = Path(folder)
        for name in ("pieces", "hatched", "boards", "tiles", "textures", "colours", "pointers", "glyphs", "positions"):
            setattr(self, name, np.load(folder / f"{name}.npy", mmap_mode="r"))
        index = json.loads((folder / "index.json").read_text())
        wanted = {"training": (False,), "held-out": (True,), "all": (False, True)}[part]
        self.sets, self.fonts, self.print_colours = index["sets"], index["hatched"], index["prints"]
        self.font_choices = [i for i, font in enumerate(self.fonts) if is_held_out(font["family"]) in wanted]
        self.set_choices = [i for i, s in enumerate(self.sets) if is_held_out(s["family"]) in wanted]
        weights = np.array([STYLE_WEIGHTS[self.sets[i]["style"]] for i in self.set_choices])
        self.set_weights = weights / weights.sum()
        inky = [w * (self.sets[i]["style"] in ("print", "font")) for i, w in zip(self.set_choices, weights)]
        self.print_weights = np.array(inky) / np.sum(inky)

    def choose_set(self, rng, printed):
        """Number of a random piece set; `printed` boards mostly take those made for print."""
        weights = self.print_weights if printed and rng.random() < 0.75 else self.set_weights
        return int(rng.choice(self.set_choices, p=weights))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assets", type=Path, default=ASSETS)
    parser.add_argument("--out", type=Path, default=ARTWORK)
    arguments = parser.parse_args()
    build(arguments.assets, arguments.out)


if __name__ == "__main__":
    main()
