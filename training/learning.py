"""What the networks share: convolution block, scaling, training loop with checkpoints, export to ONNX."""
import copy
import hashlib
import json
import math
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

from half_precision import round_weights, store_in_half


KEEP = 0.996                     # share of the averaged weights that a step leaves


class ConvBlock(nn.Module):
    """Convolution without bias, batch normalisation, ReLU; adds its input before the ReLU where `residual`."""

    def __init__(self, inputs, outputs, stride=1, kernel=3, residual=False):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, (kernel - 1) // 2, bias=False)
        self.normalisation = nn.BatchNorm2d(outputs)
        self.residual = residual

    def forward(self, x):
        y = self.normalisation(self.convolution(x))
        return F.relu(y + x) if self.residual else F.relu(y)


def standardise(pictures, floor):
    """uint8 [B, H, W] -> float [B, 1, H, W]: each picture less its mean, over (its deviation + `floor` grey levels)."""
    pictures = pictures.float()
    mean = pictures.mean((1, 2), keepdim=True)
    deviation = pictures.std((1, 2), keepdim=True)
    return ((pictures - mean) / (deviation + floor))[:, None]


def learning_rate(progress, peak, warmup=0.03):
    """Linear rise over the first `warmup` of the run, then half a cosine down; progress in 0..1."""
    if progress < warmup:
        return max(1e-5, peak * progress / warmup)
    return max(1e-5, peak * 0.5 * (1 + math.cos(math.pi * (progress - warmup) / (1 - warmup))))


@torch.no_grad()
def average_into(mean, network, keep):
    """Moves the weights of `mean` towards those of `network`, of which 1 - `keep` is taken."""
    for average, value in zip(mean.state_dict().values(), network.state_dict().values()):
        if average.dtype.is_floating_point:
            average.mul_(keep).add_(value, alpha=1 - keep)
        else:
            average.copy_(value)


def fit(network, batch_loss, steps, weights, peak=2e-3, decay=0.01, clip=5.0, every=60.0):
    """Trains with AdamW for `steps` steps and goes on from `weights` + ".state" when that is there.

    `batch_loss(step)` draws a batch and returns (loss tensor, {name: float to report}). About every `every` seconds,
    and at the end, a line of progress is printed and averaged weights (for use) and state (to go on from) are saved.
    """
    network.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), peak, weight_decay=decay)
    state, first, averages, reported = Path(f"{weights}.state"), 0, {}, time.time()
    if state.exists():
        saved = torch.load(state, weights_only=True)
        network.load_state_dict(saved["network"])
        mean.load_state_dict(saved["mean"])
        optimiser.load_state_dict(saved["optimiser"])
        first = saved["step"]

    def save(step):
        print(f"{time.strftime('%H:%M:%S')} step {step}, " + ", ".join(f"{k} {v:.4f}" for k, v in averages.items()),
              flush=True)
        torch.save(mean.state_dict(), weights)
        torch.save({"network": network.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, state)

    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step / steps, peak)
        network.train()
        loss, figures = batch_loss(step)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), clip)
        optimiser.step()
        average_into(mean, network, min(KEEP, (1 + step) / (20 + step)))
        for name, value in figures.items():
            averages[name] = 0.98 * averages.get(name, value) + 0.02 * value
        if time.time() - reported > every:
            reported = time.time()
            save(step + 1)
    save(steps)


def load_weights(network, path):
    """Loads a state dict strictly and returns the network in evaluation mode."""
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=True)
    return network.eval()


@torch.no_grad()
def adopt(network, path, inputs, matrices=()):
    """Gives a new network the weights of an exported ONNX file, whose normalisation is folded in, to go on training.

    Each normalisation takes the statistics of `inputs` (a batch as in training) and the scale and shift that undo them,
    so that the network computes what the file does. `matrices`: for a file in which linear layers have lost their names
    ("onnx::MatMul_12"), the layers with their columns' slices in the order in which the network uses them.
    """
    weights = {tensor.name.removesuffix("_half"): torch.from_numpy(numpy_helper.to_array(tensor).astype(np.float32))
               for tensor in onnx.load(str(path)).graph.initializer}
    nameless = sorted((name for name in weights if "MatMul" in name), key=lambda name: int(name.rsplit("_")[-1]))
    for (layer, columns), name in zip(matrices, nameless, strict=True):
        layer.weight[:, columns] = weights[name].T
    for name, parameter in network.named_parameters():
        if name in weights:
            parameter.copy_(weights[name].reshape(parameter.shape))

    def undo(normalisation, shift):
        def hook(_, seen):
            normalisation.running_mean.copy_(seen[0].mean((0, 2, 3)))
            normalisation.running_var.copy_(seen[0].var((0, 2, 3)))
            normalisation.weight.copy_((normalisation.running_var + normalisation.eps).sqrt())
            normalisation.bias.copy_(normalisation.running_mean + shift)
        return hook

    hooks = [block.normalisation.register_forward_pre_hook(undo(block.normalisation, weights[f"{name}.convolution.bias"]))
             for name, block in network.named_modules() if isinstance(block, ConvBlock)]
    network.eval()(inputs)
    for hook in hooks:
        hook.remove()


def start_from(network, path, inputs):
    """Gives a network the weights of a file: a state dict, or an exported ONNX file (see `adopt` for `inputs`)."""
    if path.suffix == ".onnx":
        adopt(network, path, inputs)
    else:
        load_weights(network, path)


def export(network, shape, path):
    """Writes `path` (ONNX opset 17, fixed shapes, `input` and `output`, weights in 16 bits) and beside it golden
    values; prints a summary. The network itself is changed: normalisation folded in, weights rounded.

    The golden input is sin(0.01 i) over the flattened input; `NAME.golden.json` lists outputs at some flat indices.
    The ONNX file is checked against PyTorch with ONNX Runtime (largest difference below 1e-4).
    """
    import onnxruntime
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    parameters = sum(p.numel() for p in network.parameters())
    round_weights(network, [module for module in network.modules() if isinstance(module, ConvBlock)])
    values = torch.sin(torch.arange(math.prod(shape), dtype=torch.float32) * 0.01).reshape(shape)
    torch.onnx.export(network.to(memory_format=torch.contiguous_format), (values,), str(path), input_names=["input"],
                      output_names=["output"], opset_version=17, dynamo=False)
    store_in_half(path)
    with torch.no_grad():
        expected = network(values).numpy()
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = session.run(None, {"input": values.numpy()})[0]
    difference = float(np.abs(found - expected).max())
    if difference > 1e-4:
        raise SystemExit(f"{path}: ONNX Runtime differs from PyTorch by {difference:.2e}; do not use this file")
    indices = np.unique(np.linspace(0, expected.size - 1, 24).astype(int))
    golden = {"input_rule": "x[i] = sin(i * 0.01), flattened", "input_shape": list(shape),
              "output_shape": list(expected.shape), "indices": indices.tolist(),
              "expected": [round(float(v), 5) for v in expected.reshape(-1)[indices]], "tolerance": 0.001}
    path.with_suffix(".golden.json").write_text(json.dumps(golden, indent=1) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes, {parameters} parameters, "
          f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}, differs from PyTorch by {difference:.1e}")
