"""Random networks of PyTorch's layers and functions, for its exporters."""
import random

import torch
from torch import nn
from torch.nn import functional as F


class Function(nn.Module):
    """A function as a layer."""

    def __init__(self, body, **parts):
        super().__init__()
        self.body = body
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return self.body(self, x)


class Chain(nn.Module):
    """Layers after each other; values on the way are outputs too."""

    def __init__(self, layers, watched):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.watched = watched

    def forward(self, x):
        others = []
        for index, layer in enumerate(self.layers):
            x = layer(x)
            if index in self.watched:
                others.append(x)
        return (x, *others)


def weight(*shape):
    return nn.Parameter(torch.randn(*shape) * 0.5)


def activation(draw):
    return draw.choice([
        nn.ReLU(), nn.ReLU6(), nn.LeakyReLU(draw.choice([0.01, 0.2])), nn.ELU(draw.choice([1.0, 0.5])), nn.SELU(), nn.CELU(1.3),
        nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Mish(), nn.Hardswish(), nn.Hardsigmoid(), nn.Hardtanh(-0.7, 1.2), nn.Tanh(),
        nn.Sigmoid(), nn.Softplus(), nn.Softplus(2.0), nn.Softsign(), nn.LogSigmoid(), nn.Tanhshrink(),
        nn.Threshold(0.1, -0.4), nn.Softshrink(0.3), nn.Hardshrink(0.4), nn.PReLU(),
        Function(lambda s, x: x * torch.sigmoid(1.702 * x)), Function(lambda s, x: torch.erf(x)),
        Function(lambda s, x: torch.exp(-x.abs())), Function(lambda s, x: x.clamp(min=-0.5)), Function(lambda s, x: x.clamp(max=0.75)),
        Function(lambda s, x: torch.log1p(x.abs())), Function(lambda s, x: torch.sqrt(x * x + 0.3)),
        Function(lambda s, x: torch.rsqrt(x * x + 0.3)), Function(lambda s, x: torch.sin(x) + torch.cos(x)),
        Function(lambda s, x: x.pow(3) * 0.1), Function(lambda s, x: torch.reciprocal(x.abs() + 1)),
        Function(lambda s, x: torch.where(x > 0, x, x * 0.3)), Function(lambda s, x: x.masked_fill(x < -0.5, -0.5)),
        Function(lambda s, x: torch.floor(x * 3) / 3 + x), Function(lambda s, x: torch.maximum(x, -x * 0.5)),
        Function(lambda s, x: torch.minimum(x, x * x)), Function(lambda s, x: torch.sign(x) * x), Function(lambda s, x: x - x.round()),
        Function(lambda s, x: torch.expm1(x.clamp(max=1))), Function(lambda s, x: torch.nan_to_num(x)),
        Function(lambda s, x: torch.addcmul(x, x, x, value=0.1)), Function(lambda s, x: torch.lerp(x, x * x, 0.3)),
        Function(lambda s, x: torch.logaddexp(x, -x)), Function(lambda s, x: torch.remainder(x, 0.7)),
        Function(lambda s, x: torch.fmod(x, 0.7)), Function(lambda s, x: torch.trunc(x * 2)), Function(lambda s, x: torch.special.expit(x)),
        Function(lambda s, x: torch.tan(x * 0.3)), Function(lambda s, x: torch.atan(x)), Function(lambda s, x: torch.sinh(x * 0.5)),
        Function(lambda s, x: torch.atan2(x, x + 2.5)), Function(lambda s, x: torch.acos(torch.tanh(x) * 0.9)),
        Function(lambda s, x: (x > 0).to(torch.float32) * x), Function(lambda s, x: x.to(torch.float16).to(torch.float32)),
    ])


# Pictures: [batch, channels, height, width].


def picture_convolution(draw, kind):
    _, channels, height, width = kind
    groups = draw.choice([1, 1, 1, 2, channels]) if channels % 2 == 0 else draw.choice([1, channels])
    outputs = groups * draw.choice([1, 2, 3, 4])
    size = draw.choice([1, 2, 3, 3, 5, (1, 3), (3, 2)])
    sizes = size if isinstance(size, tuple) else (size, size)
    dilation = draw.choice([1, 1, 1, 2])
    stride = draw.choice([1, 1, 2, (2, 1)])
    padding = draw.choice([0, 1, 2, "same"] if stride == 1 else [0, 1, 2])
    if padding == 0 and min(height, width) < dilation * (max(sizes) - 1) + 1:
        padding = 2 * dilation
    if padding == 2 and dilation * (max(sizes) - 1) + 1 > min(height, width) + 4:
        dilation = 1
    mode = draw.choice(["zeros", "zeros", "zeros", "reflect", "replicate", "circular"])
    layer = nn.Conv2d(channels, outputs, size, stride, padding, dilation, groups, draw.random() < 0.7, mode)
    return layer


def picture_transposed(draw, kind):
    _, channels, height, width = kind
    groups = draw.choice([1, 1, channels])
    stride = draw.choice([1, 2, 3])
    size = draw.choice([2, 3, 4])
    return nn.ConvTranspose2d(
        channels, groups * draw.choice([1, 2, 3]), size, stride, draw.choice([0, 1]), draw.choice([0, min(1, stride - 1)]), groups,
        draw.random() < 0.7, draw.choice([1, 1, 2]))


def picture_norm(draw, kind):
    channels = kind[1]
    groups = draw.choice([size for size in range(1, channels + 1) if channels % size == 0])
    layer = draw.choice([
        nn.BatchNorm2d(channels), nn.BatchNorm2d(channels, eps=1e-3, affine=False), nn.InstanceNorm2d(channels),
        nn.InstanceNorm2d(channels, affine=True), nn.GroupNorm(groups, channels), nn.GroupNorm(groups, channels, affine=False),
        nn.LocalResponseNorm(draw.choice([2, 3, 5])),
        Function(lambda s, x: s.n(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), n=nn.LayerNorm(channels, eps=1e-6)),
        Function(lambda s, x: F.normalize(x, dim=1)), Function(lambda s, x: F.normalize(x, p=1.0, dim=3)),
        Function(lambda s, x: x / (x.pow(2).mean((2, 3), keepdim=True).sqrt() + 1e-6) * s.w, w=weight(1, channels, 1, 1)),
        Function(lambda s, x: F.layer_norm(x, x.shape[1:])),
    ])
    for name, statistic in layer.named_buffers():
        if name.endswith("running_mean"):
            statistic.copy_(torch.randn_like(statistic) * 0.3)
        elif name.endswith("running_var"):
            statistic.copy_(torch.rand_like(statistic) + 0.5)
    return layer


def picture_pool(draw, kind):
    _, channels, height, width = kind
    size = min(draw.choice([2, 3, 3, 5]), height, width)
    pad = draw.choice([0, size // 2])
    stride = draw.choice([1, 2, 3])
    ceil = draw.random() < 0.4
    return draw.choice([
        nn.MaxPool2d(size, stride, pad, ceil_mode=ceil), nn.MaxPool2d(size, stride, dilation=1, ceil_mode=ceil),
        nn.MaxPool2d(2, 1, 1, dilation=2), nn.AvgPool2d(size, stride, pad, ceil, draw.random() < 0.5), nn.AvgPool2d((1, size), (1, stride)),
        nn.LPPool2d(2, size, stride), nn.AdaptiveAvgPool2d(draw.choice([1, (1, None), (height, 1)])), nn.AdaptiveMaxPool2d(1),
        Function(lambda s, x: torch.amax(x, (2, 3), keepdim=True) + x.mean((2, 3), keepdim=True)),
        Function(lambda s, x: torch.cat([F.max_pool2d(x, 3, 1, 1), F.avg_pool2d(x, 3, 1, 1)], 1)),
    ])


def picture_size(draw, kind):
    _, channels, height, width = kind
    factor = draw.choice([2, 3, 1.5, 0.5])
    size = (draw.choice([height, height + 3, 2 * height, 4]), draw.choice([width, width + 1, 5]))
    mode = draw.choice(["nearest", "bilinear", "bicubic", "nearest-exact", "area"])
    corners = {} if mode in ("nearest", "nearest-exact", "area") else {"align_corners": draw.random() < 0.5}
    scaled = draw.random() < 0.5
    smooth = {"antialias": True} if mode in ("bilinear", "bicubic") and draw.random() < 0.2 else {}
    where = {"scale_factor": factor} if scaled else {"size": size}
    if scaled and draw.random() < 0.3:
        where["recompute_scale_factor"] = True
    return Function(lambda s, x: F.interpolate(x, mode=mode, **where, **corners, **smooth))


def picture_order(draw, kind):
    _, channels, height, width = kind
    choices = [
        Function(lambda s, x: x.flip(3)), Function(lambda s, x: x.transpose(2, 3)), Function(lambda s, x: x.roll(1, 2)),
        Function(lambda s, x: torch.cat(x.chunk(2, 1)[::-1], 1)), Function(lambda s, x: torch.cat([x, x * 0.5], 1)),
        Function(lambda s, x: torch.stack([x, -x], 2).flatten(1, 2)), Function(lambda s, x: x[:, :, ::2, 1:]),
        Function(lambda s, x: x[:, :, :-1] + x[:, :, 1:]), Function(lambda s, x: F.pad(x, (1, 2, 0, 1), value=0.3)),
        Function(lambda s, x: F.pad(x, (-1, 1, 0, 0))), nn.ZeroPad2d((1, 0, 2, 1)), nn.ReflectionPad2d(1), nn.ReplicationPad2d((1, 2, 1, 0)),
        nn.ConstantPad2d(1, -0.5), nn.Dropout2d(), Function(lambda s, x: x.repeat(1, 2, 1, 1)),
        Function(lambda s, x: x.unflatten(1, (1, x.shape[1])).squeeze(1)), Function(lambda s, x: torch.index_select(x, 1, s.i), i=nn.Parameter(
            torch.tensor([draw.randrange(channels) for _ in range(3)]), requires_grad=False)),
        Function(lambda s, x: x.cumsum(3)), Function(lambda s, x: torch.einsum("bchw,cd->bdhw", x, s.w), w=weight(channels, 4)),
        Function(lambda s, x: x.tril()), Function(lambda s, x: torch.narrow(x, 3, 1, x.shape[3] - 1)),
        Function(lambda s, x: F.unfold(x, 2, stride=2).unsqueeze(1)), Function(lambda s, x: x.expand(x.shape)),
        Function(lambda s, x: torch.softmax(x, 1)), Function(lambda s, x: F.log_softmax(x.flatten(2), -1).view_as(x)),
        Function(lambda s, x: x.argsort(1, descending=True).float()) if False else nn.Softmax2d(),
    ]
    if channels % 4 == 0:
        choices += [nn.PixelShuffle(2), nn.ChannelShuffle(2)]
    if height % 2 == 0 and width % 2 == 0:
        choices += [nn.PixelUnshuffle(2)]
    return draw.choice(choices)


def picture_block(draw, kind):
    channels = kind[1]
    middle = draw.choice([1, 2, 4])
    return draw.choice([
        Function(lambda s, x: x + s.b(F.relu(s.a(x))), a=nn.Conv2d(channels, middle, 3, 1, 1), b=nn.Conv2d(middle, channels, 1)),
        Function(lambda s, x: x * torch.sigmoid(s.b(F.silu(s.a(x.mean((2, 3), keepdim=True))))),
                 a=nn.Conv2d(channels, middle, 1), b=nn.Conv2d(middle, channels, 1)),
        Function(lambda s, x: x * F.hardsigmoid(s.a(F.adaptive_avg_pool2d(x, 1))), a=nn.Conv2d(channels, channels, 1)),
        Function(lambda s, x: x * s.l(x.mean((2, 3)))[:, :, None, None], l=nn.Linear(channels, channels)),
        Function(lambda s, x: x * torch.sigmoid(s.c(torch.cat([x.mean(1, keepdim=True), x.amax(1, keepdim=True)], 1))), c=nn.Conv2d(2, 1, 3, padding=1)),
        Function(lambda s, x: torch.cat([s.a(x), s.b(x), x], 1), a=nn.Conv2d(channels, 2, 1), b=nn.Conv2d(channels, 3, 3, padding=1)),
        Function(lambda s, x: x + s.w * s.l(F.layer_norm(x.permute(0, 2, 3, 1), (x.shape[1],))).permute(0, 3, 1, 2),
                 w=weight(channels, 1, 1), l=nn.Linear(channels, channels)),
        Function(lambda s, x: (x - s.m) / s.d, m=weight(1, channels, 1, 1), d=nn.Parameter(torch.rand(1, channels, 1, 1) + 0.5)),
        Function(lambda s, x: F.conv2d(x, s.w, padding=1) - F.conv2d(x, -s.w, padding=1), w=weight(channels, channels, 3, 3)),
    ])


# Rows: [batch, length, width].


def row_linear(draw, kind):
    width = kind[2]
    outputs = draw.choice([width, 4, 6, 8, 24])
    return draw.choice([
        nn.Linear(width, outputs), nn.Linear(width, outputs, bias=False),
        Function(lambda s, x: x @ s.w + s.b, w=weight(width, outputs), b=weight(outputs)),
        Function(lambda s, x: torch.einsum("bld,de->ble", x, s.w), w=weight(width, outputs)),
        Function(lambda s, x: F.glu(s.l(x)), l=nn.Linear(width, 2 * outputs)),
        Function(lambda s, x: s.b(F.silu(s.a(x)) * s.c(x)), a=nn.Linear(width, 16), c=nn.Linear(width, 16), b=nn.Linear(16, width)),
        Function(lambda s, x: x + s.b(F.gelu(s.a(x))), a=nn.Linear(width, 32), b=nn.Linear(32, width)),
        Function(lambda s, x: torch.baddbmm(x, x, s.w.expand(x.shape[0], -1, -1), beta=0.5, alpha=2), w=weight(1, width, width)),
        Function(lambda s, x: s.e[(x * 3).long().clamp(-3, 3).abs()].mean(-1), e=weight(5, 3, 8)) if False else nn.Linear(width, width),
    ])


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def row_norm(draw, kind):
    width = kind[2]
    return draw.choice([
        nn.LayerNorm(width), nn.LayerNorm(width, elementwise_affine=False), nn.LayerNorm(width, eps=1e-12, bias=False), nn.RMSNorm(width), RMSNorm(width),
        Function(lambda s, x: s.n(x.transpose(1, 2)).transpose(1, 2), n=nn.BatchNorm1d(width)),
        Function(lambda s, x: s.n(x.transpose(1, 2)).transpose(1, 2), n=nn.GroupNorm(1, width)),
        Function(lambda s, x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 0.1)),
        Function(lambda s, x: x / x.norm(dim=-1, keepdim=True)), Function(lambda s, x: F.normalize(x, dim=-1)),
        Function(lambda s, x: (x - x.amin(1, keepdim=True)) / (x.amax(1, keepdim=True) - x.amin(1, keepdim=True) + 1)),
        Function(lambda s, x: (x - x.mean(-1, keepdim=True)) * torch.rsqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) * s.w + s.b,
                 w=weight(width), b=weight(width)),
    ])


class Attention(nn.Module):
    """Attention as transformers spells it, in several ways."""

    def __init__(self, width, heads, form, masked, rotary, groups):
        super().__init__()
        self.heads, self.form, self.masked, self.rotary, self.groups = heads, form, masked, rotary, groups
        self.size = width // heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width // groups)
        self.v = nn.Linear(width, width // groups)
        self.o = nn.Linear(width, width)

    def turned(self, x):
        half = x.shape[-1] // 2
        steps = torch.arange(x.shape[2], dtype=torch.float32)[:, None] * (1.0 / 100 ** (torch.arange(half).float() / half))
        steps = torch.cat([steps, steps], -1)
        return x * steps.cos() + torch.cat([-x[..., half:], x[..., :half]], -1) * steps.sin()

    def forward(self, x):
        batch, length, width = x.shape
        q = self.q(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(batch, length, self.heads // self.groups, self.size).transpose(1, 2)
        v = self.v(x).view(batch, length, self.heads // self.groups, self.size).transpose(1, 2)
        if self.rotary:
            q, k = self.turned(q), self.turned(k)
        if self.groups > 1:
            k, v = k.repeat_interleave(self.groups, 1), v.repeat_interleave(self.groups, 1)
        mask = None
        if self.masked == "length":
            kept = torch.arange(length) < length - 1
            mask = torch.where(kept, 0.0, -1e9)[None, None, None, :]
        elif self.masked == "causal":
            mask = torch.full((length, length), float("-inf")).triu(1)
        elif self.masked == "window":
            place = torch.arange(length)
            mask = (place[:, None] - place[None, :]).abs() <= 2
        if self.form == "fused":
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=False)
        else:
            scores = q @ k.transpose(-1, -2) / self.size**0.5 if self.form == "spelled" else (q * self.size**-0.5) @ k.mT
            if mask is not None:
                scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min) if mask.dtype == torch.bool else scores + mask
            out = torch.softmax(scores, -1) @ v
        return self.o(out.transpose(1, 2).reshape(batch, length, width))


def row_attention(draw, kind):
    width = kind[2]
    if width % 4:
        return nn.LayerNorm(width)
    heads = draw.choice([2, 4] if width % 8 else [2, 4])
    choice = draw.random()
    if choice < 0.7:
        rotary = draw.random() < 0.3 and (width // heads) % 2 == 0
        groups = 2 if draw.random() < 0.2 else 1
        return Attention(
            width, heads, draw.choice(["fused", "spelled", "scaled"]), draw.choice([None, "length", "causal", "window"]), rotary, groups)
    if choice < 0.85:
        return Function(lambda s, x: s.a(x, x, x, need_weights=False)[0], a=nn.MultiheadAttention(width, heads, batch_first=True))
    return nn.TransformerEncoderLayer(
        width, heads, 16, activation=draw.choice(["relu", "gelu"]), batch_first=True, norm_first=draw.random() < 0.5)


def row_recurrent(draw, kind):
    width = kind[2]
    both = draw.random() < 0.5
    layers = draw.choice([1, 2])
    hidden = draw.choice([3, 5, 8])
    state = draw.random() < 0.3
    kinds = [
        nn.LSTM(width, hidden, layers, batch_first=True, bidirectional=both), nn.GRU(width, hidden, layers, batch_first=True, bidirectional=both),
        nn.RNN(width, hidden, layers, nonlinearity=draw.choice(["tanh", "relu"]), batch_first=True, bidirectional=both),
        nn.LSTM(width, hidden, bias=False, batch_first=True),
    ]
    layer = draw.choice(kinds)
    if state:
        return Function(lambda s, x: (lambda h: (h[0] if isinstance(h, tuple) else h).transpose(0, 1))(s.r(x)[1]), r=layer)
    return Function(lambda s, x: s.r(x)[0], r=layer)


def row_local(draw, kind):
    width = kind[2]
    size = draw.choice([1, 2, 3])
    groups = draw.choice([1, width])
    return draw.choice([
        Function(lambda s, x: s.c(x.transpose(1, 2)).transpose(1, 2), c=nn.Conv1d(width, groups * 2, size, padding=1, groups=groups)),
        Function(lambda s, x: s.c(x.transpose(1, 2)).transpose(1, 2), c=nn.Conv1d(width, 5, 3, stride=2, padding=2, dilation=2)),
        Function(lambda s, x: s.c(F.pad(x.transpose(1, 2), (2, 0))).transpose(1, 2), c=nn.Conv1d(width, 6, 3)),
        Function(lambda s, x: s.c(x.transpose(1, 2)).transpose(1, 2), c=nn.ConvTranspose1d(width, 4, 3, stride=2)),
        Function(lambda s, x: F.max_pool1d(x.transpose(1, 2), 2).transpose(1, 2)),
        Function(lambda s, x: F.avg_pool1d(x.transpose(1, 2), 3, 1, 1).transpose(1, 2)),
        Function(lambda s, x: F.interpolate(x.transpose(1, 2), scale_factor=2, mode=draw_mode).transpose(1, 2)) if (draw_mode := draw.choice(
            ["nearest", "linear"])) else None,
        Function(lambda s, x: F.adaptive_avg_pool1d(x.transpose(1, 2), 1).transpose(1, 2)),
    ])


def row_other(draw, kind):
    _, length, width = kind
    k = draw.choice([1, 2, 3])
    return draw.choice([
        Function(lambda s, x: torch.topk(x, k, -1)[0]), Function(lambda s, x: torch.sort(x, -1, descending=True)[0]),
        Function(lambda s, x: torch.sort(x, 1)[0]), Function(lambda s, x: torch.cat([x, x.mean(1, keepdim=True)], 1)),
        Function(lambda s, x: x[:, 1:] - x[:, :-1]), Function(lambda s, x: x.cumsum(1)), Function(lambda s, x: torch.logsumexp(x, -1, keepdim=True)),
        Function(lambda s, x: x + s.p[:, : x.shape[1]], p=weight(1, 64, width)),
        Function(lambda s, x: torch.gather(x, 2, x.argmax(-1, keepdim=True))), Function(lambda s, x: x.roll(1, 1)), Function(lambda s, x: x.flip(1)),
        Function(lambda s, x: x * torch.arange(x.shape[1])[None, :, None].float()), Function(lambda s, x: torch.cat([s.c.expand(x.shape[0], -1, -1), x], 1), c=weight(1, 1, width)),
        Function(lambda s, x: torch.bmm(x, x.transpose(1, 2))), Function(lambda s, x: x.std(-1, keepdim=True) + x.var(1, keepdim=True)),
        Function(lambda s, x: x.prod(-1, keepdim=True)), Function(lambda s, x: x.abs().sum(-1, keepdim=True)), Function(lambda s, x: x.norm(p=1, dim=1, keepdim=True)),
        Function(lambda s, x: torch.stack(x.unbind(1), 1)), Function(lambda s, x: torch.cat(x.split([1, x.shape[2] - 1], 2)[::-1], 2)),
        Function(lambda s, x: F.one_hot(x.argmax(-1), x.shape[-1]).float()), Function(lambda s, x: s.e(x.argmax(-1)), e=nn.Embedding(width, 6)),
        Function(lambda s, x: torch.where(torch.isnan(x), torch.zeros_like(x), x)), Function(lambda s, x: x.scatter(2, s.i.expand(x.shape[0], x.shape[1], 1), 0.5), i=nn.Parameter(torch.tensor([[[0]]]), requires_grad=False)),
        Function(lambda s, x: torch.cdist(x, x)), Function(lambda s, x: torch.einsum("bid,bjd->bij", x, x)), Function(lambda s, x: F.cosine_similarity(x[:, :1], x, dim=-1).unsqueeze(-1)),
        Function(lambda s, x: (x * (x > x.mean()).float()).sum(1, keepdim=True) / (x > x.mean()).float().sum(1, keepdim=True).clamp(min=1)),
        Function(lambda s, x: torch.outer(s.w, s.w) @ x.mT if x.shape[2] == 4 else x, w=weight(4)), Function(lambda s, x: torch.softmax(x, 1)), Function(lambda s, x: F.softmin(x, -1)),
        Function(lambda s, x: x.tile(1, 2, 1)), Function(lambda s, x: x.repeat_interleave(2, 1)), Function(lambda s, x: x.new_zeros(x.shape) + x), Function(lambda s, x: torch.full_like(x, 0.5) * x),
        Function(lambda s, x: x.reshape(x.shape[0], -1, 1)), Function(lambda s, x: x.index_fill(2, s.i, 0.25), i=nn.Parameter(torch.tensor([0]), requires_grad=False)),
        Function(lambda s, x: torch.atleast_3d(x.cummax(1)[0]) if False else x), Function(lambda s, x: torch.linalg.vector_norm(x, dim=-1, keepdim=True)),
        Function(lambda s, x: (x.softmax(-1) > 0.2).any(-1, keepdim=True).float()), Function(lambda s, x: (x > -9).all(1, keepdim=True).float()),
        Function(lambda s, x: x.clone().index_add(1, s.i, x[:, :1]), i=nn.Parameter(torch.tensor([0]), requires_grad=False)),
        Function(lambda s, x: torch.meshgrid(x[0, 0], x[0, 0], indexing="ij")[0][None] + x[:, :1, :1]), Function(lambda s, x: x.bernoulli(0.0) + x if False else x.diff(dim=1)),
        Function(lambda s, x: torch.bucketize(x, s.w).float(), w=nn.Parameter(torch.tensor([-0.5, 0.0, 0.5]), requires_grad=False)),
    ])


# Vectors: [batch, width].


def vector_layer(draw, kind):
    width = kind[1]
    outputs = draw.choice([3, 5, 8])
    return draw.choice([
        nn.Linear(width, outputs), nn.Linear(width, outputs, bias=False), nn.BatchNorm1d(width), nn.LayerNorm(width), nn.Softmax(-1), nn.LogSoftmax(1), nn.Bilinear(width, width, 4)
        if False else nn.Linear(width, width), Function(lambda s, x: torch.addmm(s.b, x, s.w, beta=0.5, alpha=1.5), w=weight(width, outputs), b=weight(outputs)),
        Function(lambda s, x: F.normalize(x)), Function(lambda s, x: torch.cat([x, x.square()], -1)), Function(lambda s, x: x @ x.T), Function(lambda s, x: x.outer_sum() if False else x[:, None] + x[:, :, None]),
        Function(lambda s, x: x.unsqueeze(1).expand(-1, 3, -1)), Function(lambda s, x: torch.logit(torch.sigmoid(x), 1e-6)), Function(lambda s, x: F.softmax(x / 0.5, 0)), Function(lambda s, x: x.mean(0, keepdim=True) * x),
        Function(lambda s, x: s.t[torch.argmax(x, 1)], t=weight(width, 4)), Function(lambda s, x: x.view(x.shape[0], 1, -1)), Function(lambda s, x: F.linear(x, F.normalize(s.w)), w=weight(outputs, width)),
    ])


TO_ROWS = [
    lambda s, x: x.flatten(2).transpose(1, 2), lambda s, x: x.mean(2).transpose(1, 2), lambda s, x: x.permute(0, 3, 2, 1).flatten(2), lambda s, x: x.amax(3),
]
TO_VECTOR = [
    lambda s, x: x.mean(1), lambda s, x: x[:, 0], lambda s, x: x.max(1)[0], lambda s, x: x[:, -1], lambda s, x: x.sum(1), lambda s, x: torch.select(x, 1, 0),
]


def step(draw, kind):
    """A random layer for values of a shape."""
    if len(kind) == 4:
        if draw.random() < 0.12:
            return Function(draw.choice(TO_ROWS))
        maker = draw.choice([
            picture_convolution, picture_convolution, picture_transposed, picture_norm, picture_pool, picture_size, picture_order, picture_order, picture_block, None])
    elif len(kind) == 3:
        if draw.random() < 0.1:
            return Function(draw.choice(TO_VECTOR))
        maker = draw.choice([row_linear, row_norm, row_attention, row_attention, row_recurrent, row_local, row_other, row_other, None])
    else:
        maker = draw.choice([vector_layer, vector_layer, None])
    return activation(draw) if maker is None else maker(draw, kind)


def network(seed):
    """A network, an input for it, and the axes that may change with what they are."""
    draw = random.Random(seed)
    torch.manual_seed(draw.randrange(1 << 30))
    batch = draw.choice([1, 2, 3])
    start = draw.choice(["picture", "picture", "rows", "rows", "vector", "ids"])
    layers = []
    if start == "picture":
        x = torch.randn(batch, draw.choice([1, 3, 4, 8]), draw.choice([8, 9, 12]), draw.choice([8, 11, 16]))
        free = {0: "batch", 2: "height", 3: "width"}
    elif start == "rows":
        x = torch.randn(batch, draw.choice([4, 5, 9]), draw.choice([6, 8, 16]))
        free = {0: "batch", 1: "length"}
    elif start == "vector":
        x, free = torch.randn(batch, draw.choice([4, 7, 16])), {0: "batch"}
    else:
        x, free = torch.randint(0, 20, (batch, draw.choice([4, 7]))), {0: "batch", 1: "length"}
        layers.append(nn.Embedding(20, 8, padding_idx=0))
    value = layers[0](x) if layers else x
    wanted = draw.choice([2, 3, 4, 5, 6])
    tries = 0
    while len(layers) < wanted and tries < 40:
        tries += 1
        layer = step(draw, tuple(value.shape)).eval()
        try:
            with torch.no_grad():
                result = layer(value)
        except Exception:
            continue
        # What overflows or grows without bound says nothing about layers.
        if result.dim() not in (2, 3, 4) or not 0 < result.numel() < 1 << 16 or not torch.isfinite(result).all() or result.abs().max() > 1e4:
            continue
        layers.append(layer)
        value = result
    watched = {index for index in range(len(layers) - 1) if draw.random() < 0.15}
    kept = draw.choice([(), (0,), tuple(free)])
    return Chain(layers, watched).eval(), x, {axis: free[axis] for axis in kept}, draw
