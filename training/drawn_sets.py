"""Piece sets that nobody drew: figures turned on a lathe from random profiles, under the marks that tell kinds apart.

    python drawn_sets.py --out sets.png        # 24 sets to look at

Rare programs bring sets of their own, and no collection holds them all. What they share is the language: a ball or a disc
for the pawn, battlements, a horse's head, a mitre, a crown of points, a crown with a cross. `drawn_set` speaks it in
random proportions, fillings, outlines and lights; `restyled` puts the silhouettes of the artwork into such a dress.
Lengths here are in halves of a square: x from -1 to 1, y from 0 (where figures stand) up to 2.
"""
import argparse
from pathlib import Path

import cv2
import numpy as np

from artwork import ARTWORK, PIECES, SPRITE, Artwork

KINDS = PIECES[:6]               # K Q R B N P
FINE = 192                       # side of the canvas that figures are drawn on before they are shrunk to SPRITE


def pixels(points):
    """Points (x, y) in halves of a square -> integer pixels of the canvas with 4 binary digits behind the point."""
    points = np.asarray(points, np.float64)
    return np.round(np.stack([(points[:, 0] + 1) * FINE / 2, FINE - points[:, 1] * FINE / 2], 1) * 16).astype(np.int32)


def fill(mask, points, value=255):
    """Fills a polygon."""
    cv2.fillPoly(mask, [pixels(points)], value, cv2.LINE_AA, 4)


def ball(mask, x, y, across, high=None, value=255):
    """Fills an ellipse of half axes `across` and `high`."""
    angles = np.linspace(0, 2 * np.pi, 40)
    fill(mask, np.stack([x + across * np.cos(angles), y + (high or across) * np.sin(angles)], 1), value)


def mirrored(right):
    """The right half of an outline from bottom to top -> the whole outline."""
    right = np.asarray(right, np.float64)
    return np.concatenate([right, right[::-1] * [-1, 1]])


def tilted(points, foot, angle):
    """Points turned clockwise by `angle` radians about (0, foot)."""
    points = np.asarray(points, np.float64) - [0, foot]
    cosine, sine = np.cos(angle), np.sin(angle)
    return points @ np.array([[cosine, -sine], [sine, cosine]]) + [0, foot]


def smooth(points):
    """A round closed line through points (Catmull-Rom spline), eight steps from each to the next."""
    points = np.asarray(points, np.float64)
    part = np.linspace(0, 1, 8, endpoint=False)[:, None]
    before, after, beyond = np.roll(points, 1, 0), np.roll(points, -1, 0), np.roll(points, -2, 0)
    pieces = [0.5 * (2 * b + (c - a) * part + (2 * a - 5 * b + 4 * c - d) * part ** 2 + (3 * b - a - 3 * c + d) * part ** 3)
              for a, b, c, d in zip(before, points, after, beyond)]
    return np.concatenate(pieces)


def line(mask, points, width, value=255):
    """Draws a line `width` thick."""
    cv2.polylines(mask, [pixels(points)], False, value, max(1, round(width * FINE / 2)), cv2.LINE_AA, 4)


class Horse:
    """A horse's head of random build, in profile: muzzle, ears, jaw, chest, neck and mane."""

    def __init__(self, rng):
        self.muzzle = rng.uniform(0.4, 0.72), rng.uniform(0.5, 0.72)          # how far it reaches, and how high (part)
        self.snout, self.brow, self.jaw = rng.uniform(0.12, 0.26), rng.uniform(0.05, 0.3), rng.uniform(0.0, 0.25)
        self.back, self.chest = rng.uniform(0.3, 0.65), rng.uniform(0.1, 0.55)
        self.ears, self.ear = int(rng.choice([0, 1, 1, 2])), rng.uniform(0.1, 0.28)
        self.round = rng.random() < 0.75
        self.mane = rng.choice(["none", "lines", "teeth"], p=[0.5, 0.3, 0.2])
        self.eye = rng.random() < 0.75
        self.mouth = rng.random() < 0.4

    def draw(self, mask, marks, foot_height, high, foot, facing):
        """Draws it between `foot_height` and `high` on a base of half width `foot`; `facing` -1 is to the left."""
        reach, level = self.muzzle
        tall = high - foot_height
        nose = foot_height + tall * level
        top = high - (self.ear if self.ears else 0)
        base = foot * 0.85
        outline = [(-base, foot_height), (-base * 0.9 + self.chest * 0.2, foot_height + tall * 0.15),
                   (-base * 0.4 + self.chest * 0.3, foot_height + tall * 0.4), (-0.08, nose - self.snout * 0.7),
                   (-0.2 - self.jaw * 0.4, nose - self.snout * 0.45), (-reach + 0.1, nose - self.snout),
                   (-reach, nose - self.snout * 0.3), (-reach + 0.06, nose + self.snout * 0.3),
                   (-reach * 0.45, nose + self.snout * 0.6 + self.brow * 0.6), (-0.1, top), (0.12, top - tall * 0.02),
                   (self.back * 0.75, top - tall * 0.16), (self.back, foot_height + tall * 0.5),
                   (max(self.back, base) * 0.97, foot_height + tall * 0.2), (base, foot_height)]
        side = np.array([-facing, 1])
        points = smooth(outline) if self.round else np.array(outline)
        fill(mask, points * side)
        fill(mask, np.array([(-base, foot_height - 0.03), (base, foot_height - 0.03), (base, foot_height + 0.06),
                             (-base, foot_height + 0.06)]))
        for number in range(self.ears):
            x = -0.08 + 0.16 * number
            fill(mask, np.array([(x - 0.09, top - 0.08), (x + 0.1, top - 0.08), (x - 0.02, high)]) * side)
        neck = np.array(outline[10:14])
        if self.mane != "none":
            for part in np.linspace(0.1, 0.9, 5):
                at = neck[int(part * 3)] * (1 - part * 3 % 1) + neck[min(3, int(part * 3) + 1)] * (part * 3 % 1)
                if self.mane == "teeth":
                    fill(mask, np.array([at + [-0.1, 0.07], at + [-0.1, -0.07], at + [0.08, 0.03]]) * side)
                else:
                    line(marks, np.array([at + [-0.03, 0], at + [-0.2, -0.08]]) * side, 0.04)
        if self.eye:
            ball(marks, *(np.array([-0.17 - 0.1 * reach, nose + self.snout * 0.5]) * side), 0.04)
        if self.mouth:
            line(marks, np.array([(-reach + 0.03, nose - self.snout * 0.4), (-reach + 0.2, nose - self.snout * 0.3)]) * side, 0.04)


class Pattern:
    """What the figures of one set share: foot, taper, collar, and how each mark is drawn."""

    def __init__(self, rng):
        self.foot, self.foot_height = rng.uniform(0.42, 0.8), rng.uniform(0.06, 0.28)
        self.steps = int(rng.integers(0, 4))
        self.neck, self.taper = rng.uniform(0.12, 0.4), np.exp(rng.uniform(np.log(0.5), np.log(3.5)))
        self.neck = min(self.neck, 0.8 * self.foot)
        self.collar = rng.uniform(1.2, 2.2) if rng.random() < 0.6 else 0
        self.equal = rng.random() < 0.25          # all figures about as high as each other
        self.highest = rng.uniform(1.5, 1.95)
        self.crown = rng.choice(["points", "coronet", "bowl"], p=[0.5, 0.35, 0.15])
        self.points, self.pearls = int(rng.choice([3, 4, 5, 5, 6, 7, 9])), rng.random() < 0.55
        self.king = rng.choice(["flared", "arches", "band"])
        self.cross = rng.choice(["plus", "splayed", "small"])
        self.mitre = rng.choice(["lens", "drop", "ball", "split", "open", "bust"], p=[0.28, 0.17, 0.11, 0.12, 0.12, 0.2])
        self.cap = rng.choice(["plume", "beret", "peak", "horns", "hood"], p=[0.3, 0.25, 0.15, 0.15, 0.15])
        self.lean = rng.uniform(0.15, 0.75) if rng.random() < 0.3 else 0        # how far the mitre tilts, in radians
        self.slit = rng.choice(["slant", "gash", "cross", "none", "upright"], p=[0.35, 0.25, 0.15, 0.13, 0.12])
        self.curls = rng.uniform(0.1, 0.3) if rng.random() < 0.4 and self.mitre in ("lens", "drop", "ball") \
            else 0                                # how far the ribbons at a bishop's foot swing
        self.bare = rng.random() < 0.07           # rooks of bars one above another, without walls
        self.horse = Horse(rng) if rng.random() < 0.6 else None
        self.gaps = int(rng.choice([2, 2, 3, 4]))
        self.pawn = rng.choice(["ball", "drop", "dome", "disc"], p=[0.62, 0.18, 0.14, 0.06])
        self.thick = rng.random() < 0.5           # rooks are towers, not slender
        self.facing = rng.choice([-1, 1])

    def height(self, rng, kind):
        """How high a kind of figure reaches."""
        part = {"K": 1.0, "Q": rng.uniform(0.88, 1.02), "R": rng.uniform(0.62, 0.85), "B": rng.uniform(0.75, 0.95),
                "N": rng.uniform(0.7, 0.98), "P": rng.uniform(0.52, 0.78)}[kind]
        return self.highest * (rng.uniform(0.93, 1) if self.equal and kind != "P" else part)

    def body(self, mask, top, neck, wide):
        """Foot and stem up to height `top`; returns lines across it where it has steps."""
        foot = self.foot * wide
        outline, ridges = [(foot, 0)], []
        for step in range(self.steps + 1):
            reach, high = foot * (1 - 0.13 * step), self.foot_height * (step + 1) / (self.steps + 1)
            outline += [(reach, self.foot_height * step / (self.steps + 1)), (reach, high)]
            ridges.append([(-reach, high), (reach, high)])
        start = outline[-1][0] * 0.92
        for part in np.linspace(0, 1, 14):
            outline.append((neck + (start - neck) * (1 - part) ** self.taper,
                            self.foot_height + (top - self.foot_height) * part))
        fill(mask, mirrored(outline))
        if self.collar:
            fill(mask, mirrored([(neck, top - 0.12), (neck * self.collar, top - 0.09), (neck * self.collar, top - 0.03),
                                 (neck, top)]))
            ridges.append([(-neck * self.collar, top - 0.1), (neck * self.collar, top - 0.1)])
        return ridges

    def draw_cross(self, mask, foot, size):
        """A cross that stands on height `foot`, `size` high."""
        arm, middle = size * 0.42, foot + size * 0.55
        bar = size * {"plus": 0.15, "splayed": 0.08, "small": 0.2}[self.cross]
        fill(mask, [(-bar, foot - 0.05), (bar, foot - 0.05), (bar, foot + size), (-bar, foot + size)])
        fill(mask, [(-arm, middle - bar), (arm, middle - bar), (arm, middle + bar), (-arm, middle + bar)])
        if self.cross == "splayed":
            for x, y in ((arm, 0), (-arm, 0), (0, arm)):
                side = np.array([y, x]) * 0.5
                fill(mask, [(0, middle), (x + side[0], middle + y + side[1]), (x - side[0], middle + y - side[1])])

    def draw_curls(self, mask, half):
        """Ribbons that swing out to both sides of a bishop's foot and end in a curl."""
        part = np.linspace(0, 1, 16)
        reach = max(self.foot, half * 1.2) + self.curls
        x = reach * part + 0.08 * np.sin(3 * np.pi * part)
        y = self.foot_height * 0.5 + self.curls * 0.6 * np.sin(2 * np.pi * part) + self.curls * 0.6 * part
        for side in (-1, 1):
            line(mask, np.stack([side * x, np.maximum(y, 0.03)], 1), 0.09)

    def bust(self, rng, mask, marks, high):
        """A bishop as a runner, a jester or a monk: shoulders, neck, a head and what it wears."""
        side = np.array([self.facing, 1])
        shoulders, wide = high * rng.uniform(0.3, 0.5), self.foot * rng.uniform(0.75, 1.1)
        neck, head = rng.uniform(0.1, 0.2), high * rng.uniform(0.22, 0.34)
        across, chin = head * rng.uniform(0.4, 0.6), shoulders + high * rng.uniform(0.02, 0.1)
        widening = rng.uniform(0.9, 1.4)          # the head's width at the top, in that of its middle
        slope = rng.uniform(0.3, 0.9)             # how square the shoulders are
        fill(mask, mirrored([(wide, 0), (wide, shoulders * slope * 0.5), (wide * 0.8, shoulders * (0.4 + slope / 2)),
                             (neck * 1.3, shoulders), (neck, chin + 0.05)]))
        turn, crown = rng.normal(0, 0.25) * self.facing, chin + head
        fill(mask, tilted(np.array([(-across * 0.5, chin), (across * 0.5, chin), (across, chin + head * 0.45),
                                    (across * widening, crown), (-across * widening, crown), (-across * 0.8, chin + head * 0.45)]) * side, chin, turn))
        reach = high - crown
        if self.cap == "plume":                   # apart from the head, above a band, blown to one side
            foot, drift = crown + head * rng.uniform(0.05, 0.2), rng.uniform(-0.2, 1.2)
            cap = [(-across * 0.7, foot), (across * 0.9, foot + reach * 0.1), (across * (1 + drift), foot + reach * 0.3),
                   (across * (0.8 + drift), max(high, foot + 0.1)), (across * 0.1, foot + reach * 0.5), (-across * 0.6, foot + reach * 0.3)]
        elif self.cap == "beret":                 # a slanting cap that stands out on one side
            cap = [(-across * 0.9, crown - head * 0.1), (across * 0.9, crown - head * 0.1), (across * 1.5, crown + reach * 0.5),
                   (across * 1.2, high), (across * 0.2, high - reach * 0.2), (-across, crown + reach * 0.4)]
        elif self.cap == "peak":
            cap = [(-across * 1.1, crown - head * 0.15), (across * 1.1, crown - head * 0.15), (across * rng.uniform(-0.3, 1.8), high)]
        elif self.cap == "horns":
            cap = [(-across * 0.9, crown - head * 0.1), (across * 0.9, crown - head * 0.1), (across * 1.9, crown + reach * 0.7),
                   (across * 0.9, crown + reach * 0.9), (0, crown + reach * 0.3), (-across * 0.9, high), (-across * 1.9, crown + reach * 0.5)]
        else:
            cap = [(-across * 1.4, chin - 0.03), (across * 0.7, chin + head * 0.5), (across, crown), (across * 0.2, high),
                   (-across * 1.2, crown + reach * 0.3)]
        cap = tilted(np.array(cap) * side, chin, turn)
        fill(mask, smooth(cap) if rng.random() < 0.5 else cap)
        if self.cap == "horns" or rng.random() < 0.3:
            ball(mask, *cap[int(np.argmax(cap[:, 1]))], rng.uniform(0.04, 0.1))
        line(marks, tilted(np.array([(-across, crown - head * 0.1), (across, crown - head * 0.1)]) * side, chin, turn), 0.05)
        if rng.random() < 0.6:                    # an eye, a collar
            ball(marks, *tilted(np.array([(across * 0.4, crown - head * 0.4)]) * side, chin, turn)[0], 0.035)
        if rng.random() < 0.6:
            line(marks, [(-neck * 1.3, shoulders), (neck * 1.3, shoulders)], 0.05)

    def figure(self, rng, kind):
        """(mask [FINE, FINE], marks: the lines inside it [FINE, FINE]) of one kind; the knight only if there is a `horse`."""
        mask, marks = np.zeros((FINE, FINE), np.uint8), np.zeros((FINE, FINE), np.uint8)
        high = self.height(rng, kind)
        wide = {"K": 1.0, "Q": 1.0, "R": 0.95, "B": 0.9, "N": 0.95, "P": 0.82}[kind] * rng.uniform(0.93, 1.05)
        pen = 0.05
        if kind == "N":
            ridges = self.body(mask, self.foot_height + 0.1, self.foot * 0.7, wide) if self.steps else []
            self.horse.draw(mask, marks, self.foot_height, high, self.foot, self.facing)
        elif kind == "P":
            if self.pawn == "disc":
                ball(mask, 0, 0.8, rng.uniform(0.3, 0.5))
                return mask, marks
            radius = high * rng.uniform(0.17, 0.27)
            ridges = self.body(mask, high - 1.7 * radius, self.neck * 0.9, wide)
            ball(mask, 0, high - radius, radius, radius * {"ball": 1, "drop": 1.25, "dome": 0.8}[self.pawn])
        elif kind == "R":
            neck = max(self.neck, self.foot * rng.uniform(0.55, 0.8)) if self.thick else self.neck * 1.3
            top = neck * rng.uniform(1.05, 1.3) + 0.06
            deep, shoulder = rng.uniform(0.1, 0.24), high - rng.uniform(0.3, 0.5)
            ridges = self.body(mask, shoulder, neck, wide)
            fill(mask, mirrored([(neck, shoulder - 0.05), (top, shoulder + 0.06), (top, high)]))
            ridges.append([(-top, shoulder + 0.06), (top, shoulder + 0.06)])
            if self.bare:
                fill(mask, [(-2, self.foot_height), (2, self.foot_height), (2, shoulder - 0.02), (-2, shoulder - 0.02)], 0)
                for height in np.linspace(self.foot_height, shoulder, rng.integers(2, 4))[1:-1]:
                    line(mask, [(-top, height), (top, height)], 0.08)
            gap = 2 * top / (2 * self.gaps + 1)
            for number in range(self.gaps):
                left = -top + gap * (2 * number + 1)
                fill(mask, [(left, high - deep), (left + gap, high - deep), (left + gap, 2), (left, 2)], 0)
        elif kind == "B" and self.mitre == "bust":
            self.bust(rng, mask, marks, high)
            ridges = []
        elif kind == "B":
            head = high * rng.uniform(0.34, 0.46)
            if self.curls:                        # a mitre on ribbons, with hardly a stem
                head = high - self.foot_height - rng.uniform(0.05, 0.2)
            ridges = self.body(mask, high - head, self.neck, wide)
            half, foot = head * rng.uniform(0.3, 0.45), high - head * 1.05
            if self.curls:
                self.draw_curls(mask, half)
            if self.mitre == "split":             # open at the top, with one side leaning away
                lean = 0.5 * head * self.facing
                fill(mask, [(-half * 0.8, foot), (half * 0.8, foot), (half * 1.2, foot + head * 0.55), (lean + half * 0.5, high),
                            (lean * 0.35, foot + head * 0.62), (lean * 0.35 - half * 0.35, high * 0.99),
                            (-half * 1.2, foot + head * 0.5)])
            elif self.mitre == "open":            # two horns, the farther one ending in a knob that stands apart or not
                horn, notch = rng.uniform(0.55, 0.85), rng.uniform(0.3, 0.55)
                far, near = half * rng.uniform(0.8, 1.4), half * rng.uniform(0.7, 1.3)
                head_points = [(-half * 0.6, foot), (half * 0.6, foot), (far, foot + head * horn),
                               (half * 0.15, foot + head * notch), (-near, foot + head * rng.uniform(0.5, horn))]
                turn = self.lean * self.facing
                fill(mask, tilted(np.array(head_points) * [self.facing, 1], foot, turn))
                knob = tilted([(far * 0.75 * self.facing, foot + head * (horn + rng.uniform(0.02, 0.2)))], foot, turn)[0]
                ball(mask, *knob, half * rng.uniform(0.35, 0.6), half * rng.uniform(0.25, 0.4))
            else:
                part = np.linspace(0, 1, 20)
                swell = {"lens": np.sin(np.pi * part) ** 0.8, "drop": np.sin(np.pi * part ** 0.7) ** 0.9,
                         "ball": np.sqrt(np.clip(1 - (2 * part - 1) ** 2, 0, 1))}[self.mitre]
                mitre = np.zeros_like(mask)
                fill(mitre, tilted(mirrored(np.stack([half * swell, foot + head * part], 1)), foot, self.lean * self.facing))
                if self.slit == "gash":           # a wedge cut out from above or from the side
                    angle, opening = rng.uniform(0.1, 1.3), rng.uniform(0.1, 0.3)
                    apex = np.array([0, foot + head * rng.uniform(0.3, 0.5)])
                    ends = [apex + 1.2 * head * np.array([np.sin(angle + turn) * -self.facing, np.cos(angle + turn)])
                            for turn in (-opening, opening)]
                    fill(mitre, tilted([apex, *ends], foot, self.lean * self.facing), 0)
                np.maximum(mask, mitre, out=mask)
                if rng.random() < 0.6:
                    (x, y), = tilted([(0, high)], foot, self.lean * self.facing)
                    ball(mask, x, y, rng.uniform(0.05, 0.11))
            middle = foot + head * 0.52
            if self.slit == "slant":
                line(marks, tilted([(0, middle - 0.1), (self.facing * half * 0.9, middle + 0.16)], foot,
                                   self.lean * self.facing), pen)
            elif self.slit in ("cross", "upright"):
                line(marks, [(0, middle - half * 0.6), (0, middle + half * 0.6)], pen)
                if self.slit == "cross":
                    line(marks, [(-half * 0.55, middle), (half * 0.55, middle)], pen)
        elif kind == "Q":
            head = high * rng.uniform(0.25, 0.45)
            ridges = self.body(mask, high - head, self.neck, wide)
            foot, top = high - head - 0.03, max(self.neck * 1.5, self.foot * rng.uniform(0.6, 1.1))
            if self.crown == "bowl":
                fill(mask, mirrored([(self.neck, foot), (top * 0.8, foot + head * 0.6), (top * 0.72, foot + head * 0.75)]))
                ball(mask, 0, foot + head * 0.72, top * 0.55, head * 0.3)
                ball(mask, 0, high, 0.09)
            elif self.crown == "coronet":
                rim, count = foot + head * 0.72, 2 * self.points + 1
                teeth = [(top * (1 - 2 * i / (count - 1)) * 0.85, rim + (0.1 if i % 2 == 0 else 0)) for i in range(count)]
                fill(mask, [(-self.neck, foot), (self.neck, foot), *teeth])
                ball(mask, 0, rim + 0.02, top * 0.45, 0.12)
                ball(mask, 0, high, rng.uniform(0.06, 0.12))
            else:
                tips = [(top * x, high - head * 0.3 * x * x * (self.points > 3)) for x in np.linspace(-1, 1, self.points)]
                zigzag = []
                for left, right in zip(tips, tips[1:]):
                    zigzag += [left, ((left[0] + right[0]) * 0.36, foot + head * rng.uniform(0.35, 0.55))]
                fill(mask, [(self.neck * 1.3, foot), (-self.neck * 1.3, foot), *zigzag, tips[-1]])
                if self.pearls:
                    for x, y in tips:
                        ball(mask, x, y, 0.075)
            ridges.append([(-self.neck * 1.3, foot + head * 0.22), (self.neck * 1.3, foot + head * 0.22)])
        else:
            size = high * rng.uniform(0.14, 0.26) * (0.75 if self.cross == "small" else 1)
            head = high * rng.uniform(0.2, 0.36)
            ridges = self.body(mask, high - head - size, self.neck, wide)
            foot, top = high - head - size - 0.03, max(self.neck * 1.4, self.foot * rng.uniform(0.6, 1.05))
            rim = high - size
            if self.king == "arches":
                for side in (-1, 1):
                    ball(mask, side * top * 0.5, foot + head * 0.6, top * 0.55, head * 0.5)
                fill(mask, mirrored([(self.neck * 1.3, foot), (top * 0.6, rim - head * 0.3)]))
                ball(mask, 0, rim - head * 0.2, top * 0.25, head * 0.3)
            elif self.king == "band":
                fill(mask, mirrored([(self.neck, foot), (top * 0.7, foot + head * 0.3), (top * 0.75, rim), (0, rim)]))
            else:
                fill(mask, mirrored([(self.neck, foot), (top * 0.75, rim - 0.05), (top * 0.4, rim + 0.02), (0, rim + 0.05)]))
            self.draw_cross(mask, rim, size)
            ridges.append([(-self.neck * 1.3, foot + head * 0.2), (self.neck * 1.3, foot + head * 0.2)])
        for ridge in ridges:
            if self.steps or self.collar:
                line(marks, ridge, pen * 0.8)
        return mask, marks


def silhouette(sprite):
    """(mask, marks) uint8 [FINE, FINE] of a White figure RGBA: where it is, and the dark lines inside it."""
    fine = cv2.resize(sprite, (FINE, FINE), interpolation=cv2.INTER_CUBIC)
    mask = fine[..., 3]
    dark = np.clip((110 - fine[..., :3].max(2).astype(np.float32)) * 4, 0, 255).astype(np.uint8)
    inside = cv2.erode(mask, np.ones((13, 13), np.uint8))
    return mask, np.minimum(dark, inside)


def unsteady(rng, mask, marks):
    """A figure's mask and marks with outlines as a hand draws them."""
    maps = []
    for axis in range(2):
        shift = cv2.resize(rng.normal(0, 2.2, (14, 14)).astype(np.float32), (FINE, FINE), interpolation=cv2.INTER_CUBIC)
        maps.append(np.indices((FINE, FINE), np.float32)[1 - axis] + shift)
    return tuple(cv2.remap(part, maps[0], maps[1], cv2.INTER_LINEAR) for part in (mask, marks))


def strokes_of(rng, lightest, darkest):
    """Coverage float32 [96, 96, 1] of parallel pen strokes, denser on one side of the figure."""
    y, x = np.mgrid[0:SPRITE, 0:SPRITE].astype(np.float32)
    angle, spacing = rng.uniform(0, np.pi), rng.uniform(2.5, 7)
    wave = cv2.resize(rng.normal(0, 1.2, (7, 7)).astype(np.float32), (SPRITE, SPRITE), interpolation=cv2.INTER_CUBIC)
    phase = (x * np.cos(angle) + y * np.sin(angle) + wave) / spacing
    width = lightest + (darkest - lightest) * (np.clip(x / SPRITE * 1.6 - 0.3, 0, 1) if rng.random() < 0.6 else 1)
    return np.clip((width - np.abs(phase - np.round(phase)) * 2) * spacing / 1.5 + 0.5, 0, 1)[..., None]


def covered(mask):
    """A mask uint8 [FINE, FINE] as coverage float32 [96, 96, 1] in 0..1."""
    return cv2.resize(mask, (SPRITE, SPRITE), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255


def shading(light, body, slope):
    """How much darker (positive) or lighter a figure is, place by place: float32 [96, 96] about -1..1."""
    y, x = np.mgrid[-1:1:SPRITE * 1j, -1:1:SPRITE * 1j].astype(np.float32)
    if light == "turned":          # round: brightest a little left of its axis
        half = np.maximum(0.05, (body > 0.5).sum(1) / SPRITE)[:, None]
        return np.clip(np.abs(x / half + 0.3), 0, 1.3) * 2 - 0.9
    if light == "sloping":
        return y + slope * x
    if light == "raised":
        depth = np.minimum(cv2.distanceTransform((body > 0.5).astype(np.uint8), cv2.DIST_L2, 3), 7)
        depth = cv2.GaussianBlur(depth, (0, 0), 1)
        return np.clip((cv2.Sobel(depth, cv2.CV_32F, 1, 0) + cv2.Sobel(depth, cv2.CV_32F, 0, 1)) / -8, -1.2, 1.2)
    return np.zeros((SPRITE, SPRITE), np.float32)


def dressed(rng, figures, printed=False, sides=None, on_dark=False, stamps=False):
    """Figures as (mask, marks), kind by kind -> uint8 RGBA [12, 96, 96, 4]: fillings, outlines and light of one set.

    White is light and Black dark, in grey or in colour, unless `sides` gives their colours; either may be outlined dark
    or light, or only drawn in outline. `printed` figures are drawn with a pen more often. What is to stand `on_dark` squares
    has a light White and a Black of vivid colour; `stamps` have broad outlines, a White that is hollow and a Black that is filled.
    """
    white, black = rng.uniform(200, 255, 3), rng.uniform(0, 80, 3)
    if rng.random() < 0.5:
        white, black = np.full(3, white[0]), np.full(3, black[0])
    if on_dark:
        black = rng.permutation([rng.uniform(190, 255), rng.uniform(60, 130), rng.uniform(20, 90)])
    elif sides is not None:
        white, black = sides
    width = rng.choice([0, 2, 4, 6, 9], p=[0.2, 0.2, 0.3, 0.2, 0.1])
    outlines = [np.full(3, rng.uniform(0, 60)), np.full(3, rng.uniform(0, 60)) if rng.random() < 0.7 else white]
    hollow = rng.choice(["none", "white", "black"], p=[0.82, 0.09, 0.09])
    if on_dark:
        hollow = rng.choice(["none", "white", "black"], p=[0.3, 0.5, 0.2])
        outlines = [white, black]
    marked = rng.random() < 0.75
    light = rng.choice(["flat", "turned", "sloping", "raised"], p=[0.5, 0.2, 0.15, 0.15])
    if sides is not None and rng.random() < 0.5:            # each side in an ink of its own
        outlines = [white, black]
        hollow = "white" if rng.random() < 0.6 else hollow
    if stamps:
        width, hollow, light, outlines = rng.choice([4, 6, 9]), "none", "flat", [np.full(3, 20.0)] * 2
    by_hand = not on_dark and not stamps and rng.random() < (0.3 if printed else 0.1)           # drawn with a pen, shaded with strokes
    if by_hand:
        figures, width, hollow, light = [unsteady(rng, *figure) for figure in figures], int(rng.integers(3, 8)), "none", "flat"
        black_strokes = strokes_of(rng, 0.45, 0.95) if rng.random() < 0.7 else None
        white_strokes = strokes_of(rng, 0.08, 0.3 if black_strokes is not None else 0.5) if rng.random() < 0.5 else None
        strokes = {"white": white_strokes, "black": black_strokes}
        outlines = [outlines[0], outlines[1] if sides is not None else outlines[0]]
    strength = rng.uniform(0.15, 0.5)
    if width == 0:
        hollow = "none"
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
    slope = rng.uniform(-0.5, 0.5)
    sprites = []
    for side, filling in (("white", white), ("black", black)):
        is_black, outline = side == "black", np.asarray(outlines[side == "black"], np.float32)
        for mask, marks in figures:
            body, alpha = covered(mask), covered(cv2.dilate(mask, kernel) if width else mask)
            cover = np.minimum(covered(marks), body)
            if hollow == side:
                alpha = np.maximum(alpha * (1 - covered(cv2.erode(mask, kernel))), cover * marked)
                colour = np.broadcast_to(outline, (SPRITE, SPRITE, 3))
            else:
                shade = shading(light, body[..., 0], slope)[..., None]
                base = np.asarray(filling, np.float32) + 40 * is_black * (light != "flat")
                colour = base * (1 - strength * shade) + 20 * is_black * np.clip(-shade, 0, 1)
                if marked:
                    ink = np.full(3, 235, np.float32) if is_black and outline.mean() < 90 else outline
                    colour = colour * (1 - 0.9 * cover) + 0.9 * ink * cover
                if by_hand and strokes[side] is not None:
                    colour = np.asarray(white, np.float32) * (1 - strokes[side]) + outline * strokes[side]
                # Of what is covered, the body has its colour and the rim around it the outline's.
                inside = body / np.maximum(alpha, 1e-3)
                colour = colour * inside + outline * (1 - inside)
            sprites.append(np.clip(np.concatenate([colour, alpha * 255], 2), 0, 255).astype(np.uint8))
    return np.stack(sprites)


def drawn_set(rng, artwork, printed, sides=None, on_dark=False, stamps=False):
    """uint8 RGBA [12, 96, 96, 4] of a set of random shapes, dressed as `dressed` does; its knights take the silhouette
    of a set of the artwork."""
    pattern = Pattern(rng)
    figures = []
    for kind in KINDS:
        if kind == "N" and pattern.horse is None:
            knight = np.array(artwork.pieces[artwork.choose_set(rng, False), PIECES.index("N")])
            figures.append(silhouette(knight))
        else:
            figures.append(pattern.figure(rng, kind))
    return dressed(rng, figures, printed, sides, on_dark, stamps)


def restyled(rng, artwork, printed, sides=None, on_dark=False, stamps=False):
    """uint8 RGBA [12, 96, 96, 4] of the artwork in another dress: the silhouettes of White's figures, newly filled; of one
    set, or each kind of piece of a set of its own."""
    one, several = artwork.choose_set(rng, printed), rng.random() < 0.4
    figures = [silhouette(np.array(artwork.pieces[artwork.choose_set(rng, printed) if several else one, kind]))
               for kind in range(6)]
    if rng.random() < 0.3:         # bolder or finer all over
        size = int(rng.integers(2, 9))
        change = cv2.dilate if rng.random() < 0.5 else cv2.erode
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        figures = [(change(mask, kernel), marks) for mask, marks in figures]
    return dressed(rng, figures, printed, sides, on_dark, stamps)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artwork", type=Path, default=ARTWORK)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("sets.png"))
    arguments = parser.parse_args()
    rng, artwork = np.random.default_rng(arguments.seed), Artwork(arguments.artwork)
    rows = []
    for number in range(24):
        sprites = drawn_set(rng, artwork, number % 2 == 0) if number % 3 else restyled(rng, artwork, False)
        alpha = sprites[..., 3:] / 255
        rows.append(np.hstack((sprites[..., :3] * alpha + np.array([200, 170, 130]) * (1 - alpha)).astype(np.uint8)))
    cv2.imwrite(str(arguments.out), np.vstack([np.hstack(rows[i:i + 2]) for i in range(0, 24, 2)])[..., ::-1])


if __name__ == "__main__":
    main()
