"""The square classifier: a rectified board -> 13 classes for each square and "no square of a board at all".

    python squares.py render --out shards --first-seed 1 --shards 50       # 500 spoiled boards a shard
    python squares.py train shards --run run1 --steps 9500                 # reads new shards as they appear
    python squares.py evaluate run1/ema.pt --corpus ../../shared/corpus    # real boards, true corners
    python squares.py held-out run1/ema.pt                                 # rendered boards, artwork not trained on
    python squares.py export run1/ema.pt                                   # ../models/squares.onnx and its golden file
    python squares.py export run2/ema.pt --out ../models/second_opinion.onnx

Input of the network: [1, 3, 264, 264], a rectified board in RGB, scaled over all its pixels and planes: less the mean,
over (deviation + 8). The square (row, column) is described by what stands from pixel (32 row, 32 column) on, 40 by 40.

The last class, NONE, is taught by pictures of other things (draughts, crosswords, patchwork, physical boards) and by
boards cut out a rank off or half a square off: it tells whether there is a board, and whether it was met.
"""
import argparse
import collections
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from PIL import Image, ImageOps
from torch import nn
from torch.nn import functional as F

import learning
from artwork import ARTWORK, ASSETS, CLASSES, Artwork, labels_of_placement
from degrade import BORDER, RECTIFIED, SQUARE, jpeg, rectify, resize, shaken, spoil
from geometry import homography, quad_of_box, transform, warp
from learning import ConvBlock
from locate_scenes import Assets, make_pool, photo_crop, random_other
from render_boards import FIELD_QUAD, PICTURE, Board, plain_board, random_colour, render_board

FLOOR = 8.0                      # grey levels added to a board's deviation, so that blank boards stay quiet
SHARD = 500                      # boards a shard
BATCH = 8                        # boards a step
NONE = len(CLASSES)              # label of what is no square of a board: the last class of the network
HOPELESS = 0.5                   # nats a square, see `board_loss`
FEATURES = 160                   # numbers that describe one square
HEADS = 4
LOOKS = 2                        # times a square looks at the rest of the board, in the first reader
DEPTH = 1, 2                     # residual blocks of convolutions of 64 and of 112 features, in the first reader
MODELS = Path(__file__).resolve().parents[1] / "models"


# Network

class Look(nn.Module):
    """A transformer encoder layer over the 64 squares of a board, without position (Vaswani et al., "Attention Is All
    You Need", 2017). Without its normalisation training broke down after 6,400 steps."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(FEATURES, FEATURES) for _ in range(3))
        self.seen = nn.Linear(FEATURES, FEATURES)
        self.digest = nn.Sequential(nn.Linear(FEATURES, 2 * FEATURES), nn.ReLU(), nn.Linear(2 * FEATURES, FEATURES))
        self.normalise_seen, self.normalise_digested = nn.LayerNorm(FEATURES), nn.LayerNorm(FEATURES)

    @staticmethod
    def heads(x):
        """[boards, 64, FEATURES] -> [boards, HEADS, 64, FEATURES / HEADS]."""
        return x.view(-1, 64, HEADS, FEATURES // HEADS).transpose(1, 2)

    def forward(self, x):
        query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        weights = torch.softmax(torch.matmul(query, key.transpose(2, 3)) * (FEATURES // HEADS) ** -0.5, 3)
        seen = torch.matmul(weights, value).transpose(1, 2).reshape(-1, 64, FEATURES)
        x = self.normalise_seen(x + self.seen(seen))
        return self.normalise_digested(x + self.digest(x))


class SquareNet(nn.Module):
    """Scaled boards [B, 3, 264, 264] -> logits [64 * B, 14], board by board in picture order.

    A small convolutional net runs over the board and describes each square from 5 by 5 of its cells, 4 apart, a third
    less work than square by square. Whether a figure is White's or Black's, and whether marks are
    hatching or a piece, shows only beside the rest of the board: so each description is joined by the means over the
    32 squares of its colour and over all 64, and attention layers let it look up squares like itself. Squares
    know their colour but not their place, so that the network cannot learn chess. `looks`: number of attention layers;
    `depth`: numbers of residual blocks after the second and the third convolution with a stride.
    """

    def __init__(self, looks=LOOKS, depth=DEPTH):
        super().__init__()
        fine, coarse = ([ConvBlock(width, width, residual=True) for _ in range(count)]
                        for width, count in zip((64, 112), depth))
        self.convolutions = nn.Sequential(
            ConvBlock(3, 32, 2), ConvBlock(32, 64, 2), *fine, ConvBlock(64, 112, 2), *coarse)
        self.describe = nn.Conv2d(112, FEATURES, 5, 4)
        self.join = nn.Linear(3 * FEATURES + 2, FEATURES)
        self.looks = nn.Sequential(*(Look() for _ in range(looks)))
        self.hidden = nn.Linear(2 * FEATURES, FEATURES)
        self.logits = nn.Linear(FEATURES, NONE + 1)
        colour = (torch.arange(64) // 8 + torch.arange(64) % 8) % 2
        self.register_buffer("same_colour", (colour[:, None] == colour[None, :]).float() / 32)
        self.register_buffer("all_squares", torch.full((64, 64), 1 / 64))
        self.register_buffer("colour", F.one_hot(colour, 2).float()[None])

    def forward(self, x):
        own = F.relu(self.describe(self.convolutions(x))).flatten(2).transpose(1, 2)
        joined = torch.cat([own, torch.matmul(self.same_colour, own), torch.matmul(self.all_squares, own)], 2)
        # The last two inputs of `join` are the square's colour: that of the top left square, or the other.
        weights = self.join.weight
        joined = F.relu(F.linear(joined, weights[:, :-2], self.join.bias) + torch.matmul(self.colour, weights[:, -2:].T))
        hidden = F.relu(self.hidden(torch.cat([self.looks(joined), own], 2)))
        return self.logits(hidden).view(-1, NONE + 1)


def scaled(boards):
    """Rectified boards uint8 [B, 264, 264, 3] -> the network's input float32 [B, 3, 264, 264]."""
    boards = boards.float()
    mean = boards.mean((1, 2, 3), keepdim=True)
    deviation = boards.std((1, 2, 3), keepdim=True, correction=0)
    return ((boards - mean) / (deviation + FLOOR)).permute(0, 3, 1, 2)


def load_network(path):
    """A network with the weights of a file, ready for use."""
    weights = torch.load(path, map_location="cpu", weights_only=True)
    network = network_of({name: tuple(value.shape) for name, value in weights.items()})
    network.load_state_dict(weights)
    return network.eval()


def network_of(shapes):
    """A new network of the size that the names and shapes of a file's weights tell."""
    widths = [shape[:2] for name, shape in shapes.items() if name.endswith("convolution.weight")]
    return SquareNet(len({name.split(".")[1] for name in shapes if name.startswith("looks.")}),
                     (widths.count((64, 64)), widths.count((112, 112))))


@torch.no_grad()
def grow(network, smaller):
    """Gives a network the weights of one with fewer residual blocks or attention layers, whose blocks come first.

    A residual block beyond them starts by adding nothing, so that the network computes what the smaller one does
    (Goyal et al., "Accurate, Large Minibatch SGD", 2017, start residual blocks so); attention layers start anew.
    """
    for width in (64, 112):
        blocks, known = ([block for block in net.convolutions if block.residual and block.normalisation.num_features == width]
                         for net in (network, smaller))
        for block in blocks[len(known):]:
            block.normalisation.weight.zero_()
        for block, source in zip(blocks, known):
            block.load_state_dict(source.state_dict())
    for block, source in zip(*([block for block in net.convolutions if not block.residual] for net in (network, smaller))):
        block.load_state_dict(source.state_dict())
    rest = {name: value for name, value in smaller.state_dict().items() if not name.startswith("convolutions.")}
    network.load_state_dict(rest, strict=False)


def adopt(path, boards):
    """The network of an exported file, to go on training; `boards` uint8 [B, 264, 264, 3] (tensor) are as in training."""
    network = network_of({tensor.name.removesuffix("_half"): tuple(tensor.dims)
                          for tensor in onnx.load(str(path)).graph.initializer})
    everything = slice(None)
    learning.adopt(network, path, scaled(boards), [
        (network.join, slice(-2)), (network.join, slice(-2, None)),
        *((layer, everything) for look in network.looks for layer in (
            look.query, look.key, look.value, look.seen, look.digest[0], look.digest[2])),
        (network.hidden, everything), (network.logits, everything)])
    return network


@torch.no_grad()
def read_logits(network, boards):
    """Rectified boards uint8 [B, 264, 264, 3] (tensor) -> logits [B, 64, 14]."""
    network.eval()
    return torch.cat([network(scaled(part)).view(-1, 64, NONE + 1) for part in boards.split(8)])


# Shards

def misplaced(rng, quad, labels):
    """A quad that misses the board, and the labels [64] of what it shows: a rank or file off, or between the squares."""
    unit = homography(quad_of_box(0, 0, 8, 8), quad)
    if rng.random() < 0.6:
        across, down = 0, 0
        while (across, down) == (0, 0):
            across, down = rng.choice([-2, -1, 0, 1, 2], 2, p=[0.05, 0.25, 0.4, 0.25, 0.05])
        shown = np.full((12, 12), NONE, np.uint8)
        shown[2:10, 2:10] = labels.reshape(8, 8)
        return transform(quad_of_box(across, down, 8 + across, 8 + down), unit), \
            shown[2 + down:10 + down, 2 + across:10 + across].reshape(64)
    if rng.random() < 0.6:                    # half a square off, along one axis at least
        shift = rng.uniform(0.35, 0.5) * rng.choice([-1, 1]), rng.uniform(-0.5, 0.5)
        across, down = shift if rng.random() < 0.5 else shift[::-1]
        quad = transform(quad_of_box(across, down, 8 + across, 8 + down), unit)
    else:                                     # other squares than the board's
        count = rng.choice([3, 4, 5, 6, 7, 9, 10])
        across, down = rng.uniform(0, 8 - count, 2) if count < 8 else rng.uniform(8 - count, 0, 2)
        quad = transform(quad_of_box(across, down, count + across, count + down), unit)
    return quad, np.full(64, NONE, np.uint8)


def other_thing(rng, pool, assets):
    """Something that is no board as a Board whose squares are all NONE."""
    if rng.random() < 0.12:
        grey = photo_crop(rng, assets.photos, PICTURE, PICTURE)
    else:
        thing = random_other(rng, pool, assets)
        grey = warp(thing.grey, homography(thing.quad, FIELD_QUAD), (PICTURE, PICTURE), borderMode=cv2.BORDER_REPLICATE)
    picture = grey[..., None].repeat(3, 2)
    if rng.random() < 0.6:                    # grey things in two colours: nothing is to be told by having none
        dark, light = random_colour(rng, 0, 120), random_colour(rng, 130, 255)
        picture = (dark + (light - dark) * (picture / np.float32(255))).astype(np.uint8)
    return Board(picture, FIELD_QUAD.copy(), np.full(64, NONE, np.uint8), False, bool(rng.random() < 0.5), picture[0, 0])


def rendered_boards(seed, count, artwork, only_boards=False):
    """Yields (rectified board uint8 [264, 264, 3], labels [64]) with corners as a locator leaves them;
    one in seven is no board or a misplaced quad, but for `only_boards`."""
    rng = np.random.default_rng(seed)
    if not only_boards:
        assets, pool = Assets(ASSETS, rng), make_pool(rng, artwork, 150)
    for _ in range(count):
        kind = 1 if only_boards else rng.random()
        board = other_thing(rng, pool, assets) if kind < 0.07 else render_board(rng, artwork)
        picture, quad = spoil(rng, board)
        quad, labels = shaken(rng, quad), board.labels
        if 0.07 <= kind < 0.14:
            quad, labels = misplaced(rng, quad, labels)
        yield rectify(picture, quad), labels


def render(arguments):
    """Writes shards; each appears under its name only when it is whole."""
    cv2.setNumThreads(1)
    artwork = Artwork(arguments.artwork)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.shards):
        started = time.time()
        boards, labels = np.empty((SHARD, RECTIFIED, RECTIFIED, 3), np.uint8), np.empty((SHARD, 64), np.uint8)
        for i, (boards[i], labels[i]) in enumerate(rendered_boards(seed, SHARD, artwork)):
            pass
        np.save(arguments.out / f"labels-{seed:05}.npy", labels)
        part = arguments.out / f"part-{seed:05}.npy"
        np.save(part, boards)
        part.rename(arguments.out / f"boards-{seed:05}.npy")
        print(f"shard {seed}: {1000 * (time.time() - started) / SHARD:.0f} ms a board", flush=True)


def varied(rng, board, labels):
    """A stored board made a little different: mirrored, recoloured, shifted, softer, noisier, of another tone."""
    labels = labels.reshape(8, 8)
    if rng.random() < 0.12:                   # artwork that faces the other way
        board, labels = board[:, ::-1], labels[:, ::-1]
    if rng.random() < 0.12:                   # other colours
        board = board[..., rng.permutation(3)]
    board = np.ascontiguousarray(board)
    if rng.random() < 0.5:                    # corners off by a little more, or less
        moved = np.float32([[1, 0, 0], [0, 1, 0]]) + rng.normal(0, 1, (2, 3)) * [0.003, 0.003, 0.7]
        board = cv2.warpAffine(board, moved, (RECTIFIED, RECTIFIED), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.15:
        board = cv2.GaussianBlur(board, (0, 0), rng.uniform(0.4, 1.1))
    if rng.random() < 0.3:                    # gamma and tint, channel by channel through a table
        gamma, gain = np.exp(rng.normal(0, 0.2)), 1 - rng.uniform(0, 0.15, 3)
        table = 255 * (np.arange(256)[:, None] / 255) ** gamma * gain
        board = cv2.LUT(board, table.astype(np.uint8).reshape(256, 1, 3))
    if rng.random() < 0.2:
        grain = rng.standard_normal((RECTIFIED, RECTIFIED, 1), np.float32) * rng.uniform(1, 10)
        board = np.clip(board + grain, 0, 255).astype(np.uint8)
    return board, labels.reshape(64)


class Shards:
    """All shards of a folder, memory-mapped; `look` finds new shards."""

    def __init__(self, folder):
        self.folder, self.boards, self.labels = folder, {}, {}

    def __len__(self):
        return SHARD * len(self.boards)

    def look(self):
        for path in sorted(self.folder.glob("boards-*.npy")):
            if path not in self.boards:
                self.boards[path] = np.load(path, mmap_mode="r")
                self.labels[path] = np.load(path.with_name(path.name.replace("boards", "labels")))
        for path in list(self.boards):        # a shard deleted to make room stays out
            if not path.exists():
                del self.boards[path], self.labels[path]
        self.names = sorted(self.boards)

    def draw(self, rng, count):
        """A batch: boards uint8 [count, 264, 264, 3] and labels int64 [count, 64], each varied."""
        pairs = []
        for _ in range(count):
            name, index = self.names[rng.integers(len(self.names))], rng.integers(SHARD)
            pairs.append(varied(rng, self.boards[name][index], self.labels[name][index]))
        boards, labels = zip(*pairs)
        return torch.from_numpy(np.stack(boards)), torch.from_numpy(np.stack(labels).astype(np.int64))


# Training

def board_loss(logits, labels, smoothing):
    """Mean cross-entropy of a batch in nats a square, in which a board beyond HOPELESS pulls no harder than one at it.

    Of the rendered boards the hardest twentieth, spoiled beyond reading, carried 42 % of the loss.
    """
    losses = F.cross_entropy(logits, labels.view(-1), label_smoothing=smoothing, reduction="none").view(labels.shape).mean(1)
    return (losses * (HOPELESS / losses.detach()).clamp(max=1)).mean()


def train(arguments):
    """Trains by steps; leaves `ema.pt` (averaged weights, for use), `last.pt` (to go on from) and `log.txt`."""
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    arguments.run.mkdir(parents=True, exist_ok=True)
    network, average = (SquareNet(arguments.looks, arguments.depth) for _ in range(2))
    shards = Shards(arguments.shards)
    shards.look()
    start = 0
    if arguments.start is not None and arguments.start.suffix == ".onnx":
        grow(network, adopt(arguments.start, shards.draw(rng, 64)[0]))
    elif arguments.start is not None:
        grow(network, load_network(arguments.start))
    frozen = network.convolutions[:arguments.frozen]
    frozen.requires_grad_(False)
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learned, arguments.peak, weight_decay=0.03)
    average.load_state_dict(network.state_dict())
    resume = arguments.run / "last.pt"
    if resume.exists():
        state = torch.load(resume, weights_only=True)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        start = state["step"]
        rng = np.random.default_rng([arguments.seed, start])
    network.to(memory_format=torch.channels_last)
    cv2.setNumThreads(1)
    log = (arguments.run / "log.txt").open("a")
    began, losses, wrong = time.time(), [], []
    for step in range(start, arguments.steps):
        if step % 100 == 0:
            shards.look()
        for group in optimiser.param_groups:
            group["lr"] = learning.learning_rate(step / arguments.steps, arguments.peak, arguments.warmup / arguments.steps)
        network.train()
        frozen.eval()
        boards, labels = shards.draw(rng, BATCH)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bfloat16):
            logits = network(scaled(boards).contiguous(memory_format=torch.channels_last))
        logits = logits.float()
        loss = board_loss(logits, labels, arguments.smoothing)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        learning.average_into(average, network, min(learning.KEEP, (1 + step) / (20 + step)))
        losses.append(loss.item())
        wrong.append((logits.argmax(1) != labels.view(-1)).view(-1, 64).sum(1).numpy())
        if (step + 1) % arguments.every == 0 or step + 1 == arguments.steps:
            recent = np.concatenate(wrong)
            print(f"step {step + 1} of {arguments.steps}, {len(shards)} boards, "
                  f"rate {optimiser.param_groups[0]['lr']:.5f}, loss {np.mean(losses):.4f}, "
                  f"exact {100 * np.mean(recent == 0):.1f} %, squares {100 - 100 * recent.mean() / 64:.2f} %, "
                  f"{(time.time() - began) / (step + 1 - start):.2f} s a step", file=log, flush=True)
            losses, wrong = [], []
            for name, value in (("ema.pt", average.state_dict()),
                                ("last.pt", {"network": network.state_dict(), "average": average.state_dict(),
                                             "optimiser": optimiser.state_dict(), "step": step + 1})):
                torch.save(value, arguments.run / f"{name}.part")
                os.replace(arguments.run / f"{name}.part", arguments.run / name)


# Measuring

def read_rgb(path):
    """Reads a picture upright (EXIF orientation applied, transparency on white) as RGB uint8 [h, w, 3]."""
    with Image.open(path) as image:
        image = ImageOps.exif_transpose(image)
        if image.mode in ("RGBA", "LA", "P"):
            image = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
        return np.asarray(image.convert("RGB"))


def real_boards(corpus, split):
    """Yields (name, kind, traits, rectified board, labels in picture order) of labelled real pictures."""
    for line in (corpus / "manifest.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["split"] != split or not entry["boards"]:
            continue
        picture = read_rgb(corpus / "pictures" / entry["file"])
        for number, board in enumerate(entry["boards"]):
            if "corners" in board:
                quad = np.array(board["corners"], np.float32)
            else:
                left, top, right, bottom = board["bbox"]
                quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
            labels = labels_of_placement(board["placement"])
            labels = labels[::-1] if board["bottom"] == "black" else labels
            yield f"{entry['file']}#{number}", entry["kind"], entry["traits"], rectify(picture, quad), labels.copy()


def figures(wrong):
    """One line on a list with the number of wrong squares of each board."""
    wrong = np.array(wrong)
    return (f"{len(wrong):6} boards   exact {100 * (wrong == 0).mean():5.1f} %   at most one wrong "
            f"{100 * (wrong <= 1).mean():5.1f} %   squares {100 * (1 - wrong.mean() / 64):6.2f} %")


def network_or_onnx(path):
    """A function from boards (uint8 tensor [B, 264, 264, 3]) to logits [B, 64, 14], for weights or an ONNX file."""
    if path.suffix != ".onnx":
        network = load_network(path)
        return lambda boards: read_logits(network, boards)
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda boards: torch.from_numpy(np.stack([session.run(None, {name: scaled(board[None]).numpy()})[0]
                                                     for board in boards]))


def evaluate(arguments):
    """Reads real boards with their true corners and prints figures by kind."""
    cache = arguments.cache and arguments.cache / f"{arguments.split}.npz"
    if cache and cache.exists():
        stored = np.load(cache)
        entries = list(zip(stored["names"], stored["kinds"], (t.split(",") for t in stored["traits"]),
                           stored["boards"], stored["labels"]))
    else:
        entries = list(real_boards(arguments.corpus, arguments.split))
        if cache:
            cache.parent.mkdir(parents=True, exist_ok=True)
            np.savez(cache, names=[e[0] for e in entries], kinds=[e[1] for e in entries],
                     traits=[",".join(e[2]) for e in entries], boards=np.stack([e[3] for e in entries]),
                     labels=np.stack([e[4] for e in entries]))
    logits = network_or_onnx(arguments.weights)(torch.from_numpy(np.stack([entry[3] for entry in entries])))
    groups, listed, tiles = collections.defaultdict(list), [], []
    for (name, kind, traits, board, labels), scores in zip(entries, logits.numpy()):
        read = scores[:, :NONE].argmax(1)
        count = int((read != labels).sum())
        for group in ("all", kind, *(t for t in traits if arguments.traits), *
                      ([] if "start-position" in traits else ["all but start positions"])):
            groups[group].append(count)
        if count:
            confused = collections.Counter(f"{CLASSES[t]}>{CLASSES[r]}" for t, r in zip(labels, read) if t != r)
            listed.append((count, str(name), kind, " ".join(f"{k}x{v}" for k, v in confused.most_common(6)), board, read, labels))
    for group, counts in sorted(groups.items()):
        print(f"{group:24}{figures(counts)}")
    listed.sort(key=lambda item: item[:2], reverse=True)
    for count, name, kind, confused, *_ in listed[:arguments.worst]:
        print(f"{count:3} wrong  {name} ({kind})  {confused}")
    if arguments.sheet:
        for _, _, _, _, board, read, labels in listed:
            board = board.copy()
            for square in np.flatnonzero(read != labels):
                row, column = divmod(int(square), 8)
                corner = BORDER + column * SQUARE, BORDER + row * SQUARE
                cv2.rectangle(board, corner, (corner[0] + SQUARE - 1, corner[1] + SQUARE - 1), (255, 0, 255), 1)
                cv2.putText(board, CLASSES[read[square]], (corner[0] + 1, corner[1] + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.4,
                            (255, 0, 0), 1)
            tiles.append(board)
        columns = 8
        tiles += [np.zeros((RECTIFIED, RECTIFIED, 3), np.uint8)] * (-len(tiles) % columns)
        rows = [np.hstack(tiles[i:i + columns]) for i in range(0, len(tiles), columns)]
        for part in range(0, len(rows), 5):
            path = arguments.sheet.with_stem(f"{arguments.sheet.stem}-{part // 5}")
            cv2.imwrite(str(path), np.vstack(rows[part:part + 5])[..., ::-1])


def plain_boards(seed, count, artwork, square):
    """Yields (rectified board, labels) of plain boards `square` pixels a square, half of them saved as JPEG."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        board = plain_board(rng, artwork)
        picture, quad = resize(rng, board.picture, board.quad, square)
        if rng.random() < 0.5:
            picture = jpeg(picture, rng.uniform(60, 95))
        yield rectify(np.ascontiguousarray(picture), shaken(rng, quad)), board.labels


def held_out(arguments):
    """Figures on rendered boards of artwork families kept out of training, and of those trained on."""
    cv2.setNumThreads(1)
    read = network_or_onnx(arguments.weights)
    for part in ("held-out", "training"):
        artwork = Artwork(arguments.artwork, part)
        for name, rendered in (("spoiled", rendered_boards(arguments.seed, arguments.count, artwork, True)),
                               ("24 px", plain_boards(arguments.seed, arguments.count, artwork, 24)),
                               ("12 px", plain_boards(arguments.seed, arguments.count, artwork, 12))):
            boards, labels = zip(*rendered)
            logits = read(torch.from_numpy(np.stack(boards)))
            print(f"{part:10}{name:9}{figures((logits[..., :NONE].argmax(2).numpy() != np.stack(labels)).sum(1))}")


# Export

def export(arguments):
    """Writes the ONNX file and golden logits beside it."""
    learning.export(load_network(arguments.weights), (1, 3, RECTIFIED, RECTIFIED), arguments.out)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    def command(name, run, text):
        sub = commands.add_parser(name, help=text)
        sub.set_defaults(run_command=run)
        return sub

    sub = command("render", render, "write shards of spoiled boards")
    sub.add_argument("--artwork", type=Path, default=ARTWORK)
    sub.add_argument("--out", type=Path, default=Path("shards"))
    sub.add_argument("--first-seed", type=int, default=1)
    sub.add_argument("--shards", type=int, default=30)

    sub = command("train", train, "train on shards, or go on with a run")
    sub.add_argument("shards", type=Path)
    sub.add_argument("--run", type=Path, required=True, help="folder for weights and log")
    sub.add_argument("--steps", type=int, default=4000)
    sub.add_argument("--peak", type=float, default=3e-3, help="learning rate")
    sub.add_argument("--warmup", type=int, default=200)
    sub.add_argument("--smoothing", type=float, default=0.0)
    sub.add_argument("--every", type=int, default=100, help="steps between checkpoints")
    sub.add_argument("--looks", type=int, default=LOOKS, help="attention layers; the second opinion has 3")
    sub.add_argument("--depth", type=int, nargs=2, default=DEPTH, help="residual blocks of 64 and of 112 features")
    sub.add_argument("--frozen", type=int, default=0, help="blocks of convolutions, from the first on, that stay as they are")
    sub.add_argument("--bfloat16", action="store_true",
                     help="compute in 16 bits: 1.7 times faster with AVX-512 BF16, ten times slower without AVX-512")
    sub.add_argument("--seed", type=int, default=1)
    sub.add_argument("--start", type=Path, help="weights (.pt, .onnx) to start from, of a network as large or smaller")

    sub = command("evaluate", evaluate, "measure on real boards with true corners")
    sub.add_argument("weights", type=Path, help=".pt or .onnx")
    sub.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[1] / "../shared/corpus")
    sub.add_argument("--split", choices=["dev", "calibration"], default="dev")
    sub.add_argument("--worst", type=int, default=0, help="also list this many of the worst boards")
    sub.add_argument("--traits", action="store_true", help="figures by trait, too")
    sub.add_argument("--cache", type=Path, help="folder to keep the rectified boards in")
    sub.add_argument("--sheet", type=Path, help="draw the wrong boards into pictures of this name")

    sub = command("held-out", held_out, "measure on rendered boards of unseen artwork")
    sub.add_argument("weights", type=Path)
    sub.add_argument("--artwork", type=Path, default=ARTWORK)
    sub.add_argument("--count", type=int, default=400)
    sub.add_argument("--seed", type=int, default=900_001)

    sub = command("export", export, "write the ONNX file and its golden logits")
    sub.add_argument("weights", type=Path)
    sub.add_argument("--out", type=Path, default=MODELS / "squares.onnx")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    torch.set_num_threads(1)
    arguments.run_command(arguments)


if __name__ == "__main__":
    main()
