"""The board locator: a whole picture at 512x512 -> a heat map of board centres and four corners for each.

    python locator.py train scenes1 scenes2 scenes3 --weights locator.pt
    python locator.py export --weights locator.pt --out ../models/locator.onnx

Centres and offsets in the manner of CenterNet (Zhou et al., "Objects as Points", 2019).
"""
import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from geometry import blur, resize, roll_to_top_left, side_of, transform, turn_of, warp
from learning import ConvBlock, export, fit, load_weights, standardise, start_from
from locate_scenes import BOARD, SIZE, SMALLEST, UNSURE, read_shards

STRIDE = 8             # pixels per cell of the output
FLOOR = 10             # grey levels added to the deviation when a picture is scaled
AMBIGUOUS = 30         # degrees of turn from which either neighbour of the first corner may come first
# Training goes from quarter-area pictures to whole ones: four times the scenes a second while it learns what a board
# is. (side, part of the steps, batch)
STAGES = ((256, 0.6, 16), (512, 0.4, 8))


class Locator(nn.Module):
    """Pictures [B, 1, S, S] -> [B, 9, S / 8, S / 8]; S is a multiple of 64.

    Channel 0 is the logit of "a board's centre is here"; channels 1..8 are the corners x1, y1 .. x4, y4 relative to
    the middle of the cell, in cells of 8 pixels, clockwise from the visual top left.
    """

    def __init__(self):
        super().__init__()
        self.stride4 = ConvBlock(1, 24, 4, 6)
        self.stride8 = nn.Sequential(ConvBlock(24, 40, 2), ConvBlock(40, 40))
        self.stride16 = nn.Sequential(ConvBlock(40, 64, 2), ConvBlock(64, 64))
        self.stride32 = nn.Sequential(ConvBlock(64, 80, 2), ConvBlock(80, 80), ConvBlock(80, 80))
        self.stride64 = nn.Sequential(ConvBlock(80, 80, 2), ConvBlock(80, 80))
        self.lateral = nn.ModuleList([ConvBlock(inputs, 32, 1, 1) for inputs in (80, 80, 64, 40)])
        self.merge = nn.ModuleList([ConvBlock(32, 32) for _ in range(3)])
        self.head = nn.Sequential(ConvBlock(32, 32), nn.Conv2d(32, 9, 1))
        self.head[1].bias.data[0] = -4

    def forward(self, x):
        eight = self.stride8(self.stride4(x))
        sixteen = self.stride16(eight)
        thirty_two = self.stride32(sixteen)
        merged = self.lateral[0](self.stride64(thirty_two))
        for features, lateral, merge in zip((thirty_two, sixteen, eight), self.lateral[1:], self.merge):
            merged = merge(F.interpolate(merged, scale_factor=2.0) + lateral(features))
        return self.head(merged)


# Training targets

def centre_of(corners):
    """Where the diagonals of corners [4, 2] cross."""
    diagonal, other = corners[2] - corners[0], corners[3] - corners[1]
    share = np.linalg.solve(np.stack([diagonal, -other], 1), corners[1] - corners[0])[0]
    return corners[0] + share * diagonal


def second_order(quad):
    """The quad from the other corner that may come first when it is turned so far that both look topmost and leftmost."""
    turn = turn_of(quad)
    return quad if abs(turn) < AMBIGUOUS else np.roll(quad, -1 if turn < 0 else 1, 0)


def targets(marks, grid):
    """[(quads [k, 4, 2] in pixels, kinds [k])] -> heat, weight [B, grid, grid], corners, other corners [B, 8, ...], care.

    The cell nearest to a board's centre has heat 1, those around it less; where `care` is 0 the heat does not count;
    `weight` is spread over the cells that answer for a board and adds up to 1 for each board.
    """
    batch, (y, x) = len(marks), np.mgrid[0:grid, 0:grid].astype(np.float32)
    middles = np.stack([x, y]) + 0.5
    heat, weight = np.zeros((2, batch, grid, grid), np.float32)
    care = np.ones((batch, grid, grid), np.float32)
    corners, others = np.zeros((2, batch, 8, grid, grid), np.float32)
    for i, (quads, kinds) in enumerate(marks):
        for quad, kind in zip(quads, kinds):
            if kind not in (BOARD, UNSURE):
                continue
            cells = quad / STRIDE
            centre = centre_of(cells)
            sigma = max(0.7, 0.06 * side_of(cells))
            near = np.exp(-((x + 0.5 - centre[0]) ** 2 + (y + 0.5 - centre[1]) ** 2) / (2 * sigma**2))
            if kind == UNSURE:
                care[i][near > 0.05] = 0
                continue
            near[tuple(np.clip(centre[::-1].astype(int), 0, grid - 1))] = 1
            heat[i] = np.maximum(heat[i], near)
            answering = near > 0.5
            corners[i][:, answering] = (cells[:, :, None, None] - middles).reshape(8, grid, grid)[:, answering]
            others[i][:, answering] = (second_order(cells)[:, :, None, None] - middles).reshape(8, grid, grid)[:, answering]
            weight[i][answering] = 1 / answering.sum()
    care[heat == 1] = 1
    return tuple(map(torch.from_numpy, (heat, weight, corners, others, care)))


def losses(output, heat, weight, corners, others, care):
    """Focal loss of the heat, and corner error relative to the board's reach (sum of 8), each per board."""
    boards = max(1.0, float((heat == 1).sum()))
    logits = output[:, 0]
    guess = logits.sigmoid()
    peak = (heat == 1).float()
    focal = peak * (1 - guess) ** 2 * F.logsigmoid(logits) + \
        (1 - peak) * care * (1 - heat) ** 4 * guess**2 * F.logsigmoid(-logits)
    reach = corners.abs().amax(1).clamp(min=1)
    error = torch.minimum((output[:, 1:] - corners).abs().sum(1), (output[:, 1:] - others).abs().sum(1)) / reach * weight
    return -focal.sum() / boards, error.sum() / boards


def turned(rng, scene, quads):
    """The whole scene turned at a slant, made smaller so that all of it stays, on a plain ground."""
    angle = np.radians(rng.uniform(-50, 50))
    cos, sin = np.cos(angle), np.sin(angle)
    scale = 1 / (abs(cos) + abs(sin))
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) * [[scale], [scale], [1]]
    to_middle, back = np.eye(3), np.eye(3)
    to_middle[:2, 2], back[:2, 2] = -SIZE / 2, SIZE / 2
    matrix = back @ turn @ to_middle
    ground = int(rng.choice([0, 255, np.median(scene), rng.integers(256)]))
    scene = warp(scene, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_CONSTANT, borderValue=ground)
    return scene, np.array([roll_to_top_left(transform(quad, matrix)) for quad in quads], np.float32).reshape(-1, 4, 2)


def varied(rng, scene, quads):
    """The scene mirrored, turned or with its tones bent, at random, and its quads [k, 4, 2]."""
    if rng.random() < 0.15:
        scene, quads = turned(rng, scene, quads)
    if rng.random() < 0.3:
        scene, quads = scene[:, ::-1], ([SIZE, 0] + quads * [-1, 1])[:, [1, 0, 3, 2]]
    if rng.random() < 0.08:
        scene, quads = scene.T[::-1], ([0, SIZE] + quads[..., ::-1] * [1, -1])[:, [1, 2, 3, 0]]
    if rng.random() < 0.08:
        scene, quads = scene[::-1, ::-1], (SIZE - quads)[:, [2, 3, 0, 1]]
    if rng.random() < 0.3:
        curve = 255 * (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.4))
        scene = curve.astype(np.uint8)[scene]
    return np.ascontiguousarray(scene), quads.astype(np.float32)


def shrunk_marks(quads, kinds, scale):
    """Quads at another scale; boards that get too small are unsure."""
    quads = quads * np.float32(scale)
    small = np.array([side_of(quad) < SMALLEST * max(scale, 0.7) for quad in quads], bool)
    return quads, np.where(small & (kinds == BOARD), UNSURE, kinds)


def train(arguments):
    """Trains on shards of scenes; goes on where it was stopped."""
    shards = read_shards(arguments.shards)
    scenes = [(pictures[i], *mark) for pictures, marks in shards for i, mark in enumerate(marks)]
    network = Locator()
    if arguments.start:
        some = np.stack([scene[0] for scene in scenes[:32]])
        start_from(network, arguments.start, standardise(torch.from_numpy(some), FLOOR))

    def batch_loss(step):
        rng = np.random.default_rng((arguments.seed, step))
        progress = step / arguments.steps
        side, _, batch = STAGES[0] if progress < STAGES[0][1] and not arguments.start else STAGES[1]
        pictures, marks = [], []
        for number in rng.integers(0, len(scenes), batch):
            picture, quads, kinds = scenes[number]
            picture, quads = varied(rng, picture, quads)
            pictures.append(resize(picture, side, side))
            marks.append(shrunk_marks(quads, kinds, side / SIZE))
        x = standardise(torch.from_numpy(np.stack(pictures)), FLOOR).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bfloat16):
            output = network(x)
        heat, corner = losses(output.float(), *targets(marks, side // STRIDE))
        return heat + 3 * corner, {"heat": heat.item(), "corner error over reach": corner.item() / 8}

    fit(network, batch_loss, arguments.steps, arguments.weights, peak=arguments.peak)


# Reading

def letterbox(grey):
    """A picture of any size -> uint8 [512, 512] padded with its median, the scale, and the padding (x, y)."""
    height, width = grey.shape
    scale = SIZE / max(height, width)
    if scale < 0.7:
        grey = blur(grey, 0.4 / scale)
    small = resize(grey, max(1, round(width * scale)), max(1, round(height * scale)))
    height, width = small.shape
    top, left = (SIZE - height) // 2, (SIZE - width) // 2
    canvas = np.full((SIZE, SIZE), int(np.median(small)), np.uint8)
    canvas[top:top + height, left:left + width] = small
    return canvas, scale, np.array([left, top])


def decode(output, threshold):
    """Network output [9, G, G] -> [(heat 0..1, quad [4, 2] in pixels of the input)], best first."""
    heat = 1 / (1 + np.exp(-output[0]))
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3)))) & (heat > threshold)
    found = [(float(heat[y, x]), ((output[1:, y, x].reshape(4, 2) + [x + 0.5, y + 0.5]) * STRIDE).astype(np.float32))
             for y, x in zip(*np.nonzero(peaks))]
    return sorted(found, key=lambda board: -board[0])


@torch.no_grad()
def locate(network, grey, threshold):
    """Boards of a grey picture [H, W]: [(heat, quad [4, 2] in its pixels)], best first."""
    canvas, scale, padding = letterbox(grey)
    output = network(standardise(torch.from_numpy(canvas[None]), FLOOR))[0].numpy()
    return [(heat, ((quad - padding) / scale).astype(np.float32)) for heat, quad in decode(output, threshold)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("shards", type=Path, nargs="+", help="written by locate_scenes.py, without suffix")
    training.add_argument("--steps", type=int, default=6000)
    training.add_argument("--peak", type=float, default=2e-3, help="largest learning rate")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--bfloat16", action="store_true", help="compute in 16 bits, where the processor can")
    training.add_argument("--start", type=Path, help="weights (.pt, .onnx) to start from: whole pictures only")
    exporting = commands.add_parser("export")
    exporting.add_argument("--out", type=Path, default=Path("../models/locator.onnx"))
    for command in (training, exporting):
        command.add_argument("--weights", type=Path, default=Path("locator.pt"))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    if arguments.command == "train":
        train(arguments)
    else:
        export(load_weights(Locator(), arguments.weights), (1, 1, SIZE, SIZE), arguments.out)


if __name__ == "__main__":
    main()
