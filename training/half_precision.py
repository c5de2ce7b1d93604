"""Stores an ONNX file's weights in 16 bits: half the size, the same arithmetic (they are cast back when it is opened)."""
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

SMALLEST = 256                   # tensors with fewer numbers stay as they are


def round_weights(network, blocks):
    """Folds batch normalisation into the convolution before it and rounds all weights to 16-bit floats, in place.

    `blocks`: modules with attributes `convolution` and `normalisation`. After this, storing in 16 bits loses nothing.
    """
    for block in blocks:
        block.convolution = fuse_conv_bn_eval(block.convolution.eval(), block.normalisation.eval())
        block.normalisation = nn.Identity()
    with torch.no_grad():
        for weights in network.parameters():
            weights.copy_(weights.half().float())
    return network


def store_in_half(path):
    """Rewrites an ONNX file: large float32 weights become float16 with a Cast to float32 behind them."""
    model = onnx.load(str(path))
    casts, initializers = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type == TensorProto.FLOAT and values.size >= SMALLEST:
            halved = numpy_helper.from_array(values.astype(np.float16), tensor.name + "_half")
            initializers.append(halved)
            casts.append(helper.make_node("Cast", [halved.name], [tensor.name], to=TensorProto.FLOAT))
        else:
            initializers.append(tensor)
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(initializers)
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
