"""MobileNetV2 (Sandler et al., 2018) with the paddings and layer order of Keras, for training in PyTorch.

Padding is TensorFlow's "same": with stride 2 and an even side, nothing above and left, one row below and right.
"""

import torch
from ai_edge_litert.interpreter import Interpreter
from torch import nn
from torch.nn import functional

# Expansion, channels at width 1, repeats and first stride of each stage: table 2 of the paper.
STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
FEATURES = 1280
EPSILON = 1e-3
BATCH_NORM_MOMENTUM = 0.05


def rounded_channels(count):
    """The nearest multiple of 8, never less than nine tenths of the count."""
    nearest = max(8, int(count + 4) // 8 * 8)
    return nearest if nearest >= 0.9 * count else nearest + 8


class Convolution(nn.Sequential):
    """Convolution, batch normalization and, where asked for, ReLU6."""

    def __init__(self, channels, filters, side, stride=1, groups=1, activates=True):
        super().__init__(
            nn.Conv2d(channels, filters, side, stride, side // 2 if stride == 1 else 0, groups=groups, bias=False),
            nn.BatchNorm2d(filters, eps=EPSILON, momentum=BATCH_NORM_MOMENTUM),
            nn.ReLU6(inplace=True) if activates else nn.Identity(),
        )
        self.pads = side == 3 and stride == 2

    def forward(self, x):
        return super().forward(functional.pad(x, (0, 1, 0, 1)) if self.pads else x)


class InvertedResidual(nn.Module):
    def __init__(self, channels, filters, stride, expansion):
        super().__init__()
        inner = channels * expansion
        layers = [] if expansion == 1 else [Convolution(channels, inner, 1)]
        self.layers = nn.Sequential(
            *layers,
            Convolution(inner, inner, 3, stride, groups=inner),
            Convolution(inner, filters, 1, activates=False),
        )
        self.adds = stride == 1 and channels == filters

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class MobileNetV2(nn.Module):
    """Pictures [batch, 3, side, side], side a multiple of 32, to logits [batch, classes]."""

    def __init__(self, classes, alpha, dropout):
        super().__init__()
        channels = rounded_channels(32 * alpha)
        layers = [Convolution(3, channels, 3, stride=2)]
        for expansion, width, repeats, stride in STAGES:
            filters = rounded_channels(width * alpha)
            for index in range(repeats):
                layers.append(InvertedResidual(channels, filters, stride if index == 0 else 1, expansion))
                channels = filters
        layers.append(Convolution(channels, FEATURES, 1))
        self.features = nn.Sequential(*layers)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(FEATURES, classes)
        self.apply(initialize)

    def forward(self, x):
        return self.classifier(self.dropout(self.features(x).mean(dim=(2, 3))))


def initialize(module):
    if isinstance(module, nn.Conv2d):
        nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    elif isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.01)
        nn.init.zeros_(module.bias)


@torch.inference_mode()
def probabilities(model, images, batch=64):
    """Softmax scores for normalised pictures [count, side, side, 3]."""
    model.eval()
    batches = torch.from_numpy(images).permute(0, 3, 1, 2).split(batch)
    return torch.cat([
        model(images.contiguous(memory_format=torch.channels_last)).softmax(dim=1) for images in batches
    ]).numpy()


@torch.no_grad()
def read_folded(path, model, images):
    """Puts the weights of a float32 file, whose normalizations are folded into its filters, into a network.

    The normalizations get the statistics that the images make and what gives the file's numbers again.
    """
    filters = iter(folded_layers(path))
    seen = {}
    for module in model.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            weight, bias = next(filters)
            module.weight.copy_(weight)
            last = bias
            if isinstance(module, nn.Linear):
                module.bias.copy_(bias)
        elif isinstance(module, nn.BatchNorm2d):
            module.running_mean.zero_()
            module.running_var.fill_(1 - module.eps)
            module.weight.fill_(1)
            module.bias.copy_(last)
            module.register_forward_pre_hook(lambda norm, inputs: seen.update({norm: moments(inputs[0])}))
    model.eval()(images)
    for norm, (mean, variance) in seen.items():
        norm._forward_pre_hooks.clear()
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean)


def moments(values):
    return values.mean(dim=(0, 2, 3)), values.var(dim=(0, 2, 3))


def folded_layers(path):
    """Weights and biases of the convolutions and linear layers of a float32 file, in PyTorch's layout."""
    interpreter = Interpreter(str(path))
    interpreter.allocate_tensors()
    layouts = {"CONV_2D": (0, 3, 1, 2), "DEPTHWISE_CONV_2D": (3, 0, 1, 2), "FULLY_CONNECTED": (0, 1)}
    for operator in interpreter._get_ops_details():
        if operator["op_name"] in layouts:
            weight, bias = (torch.from_numpy(interpreter.get_tensor(index)) for index in operator["inputs"][1:3])
            yield weight.permute(layouts[operator["op_name"]]), bias
