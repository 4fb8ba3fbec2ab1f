"""What a picture shows: one to five equal things, or two different ones, on a background."""
import dataclasses
import math

from . import held_out
from .attributes import (BACKGROUNDS, CHEQUERED, EXTENTS, KINDS, LARGE, MAXIMUM_COUNT, MEDIUM, PLAIN, SHAPES, SMALL,
                        THING_COLOURS)


@dataclasses.dataclass(frozen=True)
class Group:
    """Equal things."""
    count: int
    kind: int
    colour: int
    size: int
    texture: int = PLAIN


@dataclasses.dataclass(frozen=True)
class Scene:
    """`position` is of a single thing, `relation` of two groups; each is −1 otherwise."""
    groups: tuple
    background: int
    position: int = -1
    relation: int = -1

    #: Columns of `numbers`: background, position, relation, and five of each of two groups.
    COLUMNS = 13

    def numbers(self):
        rows = [dataclasses.astuple(group) for group in self.groups] + [(0, 0, 0, 0, 0)] * (2 - len(self.groups))
        return [self.background, self.position, self.relation, *rows[0], *rows[1]]

    @staticmethod
    def of(numbers):
        background, position, relation, *groups = (int(number) for number in numbers)
        groups = tuple(Group(*row) for row in (groups[:5], groups[5:]) if row[0])
        return Scene(groups, background, position, relation)

    @property
    def is_drawable(self):
        """Whether nothing has its background's colour, and two groups differ in kind or colour."""
        if any(group.colour == self.background for group in self.groups):
            return False
        if any(group.texture != PLAIN and group.kind >= len(SHAPES) for group in self.groups):
            return False
        return len({(group.kind, group.colour) for group in self.groups}) == len(self.groups)

    @property
    def is_held_out(self):
        return bool(held_out.combinations(self))


def pick(random, values):
    return int(values[random.integers(len(values))])


def any_group(random, count, size):
    kind = int(random.integers(len(KINDS)))
    texture = PLAIN
    if kind < len(SHAPES) and random.random() < 0.55:
        texture = int(random.integers(1, CHEQUERED + 1))
    return Group(count, kind, int(random.integers(len(THING_COLOURS))), size, texture)


def any_size(random, count):
    return pick(random, (SMALL, MEDIUM, LARGE) if count <= 2 else (SMALL, MEDIUM) if count < 5 else (SMALL,))


def any_scene(random):
    """A scene of any kind, drawable, held out or not."""
    while True:
        background, form = pick(random, BACKGROUNDS), random.random()
        if form < 0.34:
            scene = Scene((any_group(random, 1, any_size(random, 1)),), background, int(random.integers(9)))
        elif form < 0.62:
            count = int(random.integers(2, MAXIMUM_COUNT + 1))
            scene = Scene((any_group(random, count, any_size(random, count)),), background)
        else:
            groups = tuple(any_group(random, 1, any_size(random, 1)) for _ in range(2))
            scene = Scene(groups, background, relation=int(random.integers(4)))
        if scene.is_drawable:
            return scene


def training_scene(random):
    while True:
        scene = any_scene(random)
        if not scene.is_held_out:
            return scene


def changed(scene, random):
    """The scene with one attribute changed, or with what two things have exchanged: a hard negative."""
    while True:
        other = change(scene, random)
        if other != scene and other.is_drawable and not other.is_held_out:
            return other


def change(scene, random):
    choices = ["background", "kind", "colour", "size"]
    if len(scene.groups) == 2:
        choices += ["relation", "exchange colours", "exchange kinds"] * 2
    elif scene.groups[0].count == 1:
        choices += ["position", "texture", "count"]
    else:
        choices += ["count"] * 3 + ["texture"]
    choice = choices[random.integers(len(choices))]
    if choice == "background":
        return dataclasses.replace(scene, background=pick(random, BACKGROUNDS))
    if choice == "position":
        return dataclasses.replace(scene, position=int(random.integers(9)))
    if choice == "relation":
        return dataclasses.replace(scene, relation=int(random.integers(4)))
    if choice.startswith("exchange"):
        first, second = scene.groups
        name = choice.removeprefix("exchange ").removesuffix("s")
        # A texture goes with its kind: objects have none.
        names = ("kind", "texture") if name == "kind" else (name,)
        return dataclasses.replace(scene, groups=(
            dataclasses.replace(first, **{name: getattr(second, name) for name in names}),
            dataclasses.replace(second, **{name: getattr(first, name) for name in names})))
    index = int(random.integers(len(scene.groups)))
    group = scene.groups[index]
    if choice == "count":
        return recounted(scene, int(random.integers(1, MAXIMUM_COUNT + 1)), random)
    if choice == "kind":
        kind = int(random.integers(len(KINDS)))
        group = dataclasses.replace(group, kind=kind, texture=group.texture if kind < len(SHAPES) else PLAIN)
    elif choice == "colour":
        group = dataclasses.replace(group, colour=int(random.integers(len(THING_COLOURS))))
    elif choice == "texture":
        group = dataclasses.replace(group, texture=int(random.integers(CHEQUERED + 1)))
    else:
        group = dataclasses.replace(group, size=any_size(random, group.count))
    return dataclasses.replace(scene, groups=(*scene.groups[:index], group, *scene.groups[index + 1:]))


def recounted(scene, count, random):
    group = scene.groups[0]
    size = group.size
    if (count > 2 and size == LARGE) or count == MAXIMUM_COUNT:
        size = any_size(random, count)
    group = dataclasses.replace(group, count=count, size=size)
    return dataclasses.replace(scene, groups=(group,), position=int(random.integers(9)) if count == 1 else -1)


@dataclasses.dataclass(frozen=True)
class Placement:
    """Where a thing stands: centre and extent as parts of the picture's side, and its group."""
    x: float
    y: float
    extent: float
    group: int


def placements(scene, random):
    """Random places that agree with the scene: nothing overlaps or leaves the picture."""
    while True:
        extents = [random.uniform(*EXTENTS[group.size]) for group in scene.groups for _ in range(group.count)]
        owners = [index for index, group in enumerate(scene.groups) for _ in range(group.count)]
        if len(scene.groups) == 2:
            centres = related(scene.relation, extents, random)
        elif len(extents) == 1:
            centres = [positioned(scene.position, extents[0], random)]
        else:
            centres = scattered(extents, random)
        if centres is not None:
            return [Placement(x, y, extent, owner) for (x, y), extent, owner in zip(centres, extents, owners)]


def positioned(position, extent, random):
    near = max(extent / 2 + 0.02, 0.15)
    bands = ((near, max(near, 0.27)), (0.45, 0.55), (min(1 - near, 0.73), 1 - near))
    return random.uniform(*bands[position % 3]), random.uniform(*bands[position // 3])


def inside(extent, random):
    return random.uniform(extent / 2 + 0.02, 0.98 - extent / 2)


def related(relation, extents, random):
    """One axis decides clearly: the other offset is at most 0.4 of it."""
    for _ in range(100):
        centres = [(inside(extent, random), inside(extent, random)) for extent in extents]
        along, across = ((centres[1][axis] - centres[0][axis]) for axis in ((0, 1) if relation < 2 else (1, 0)))
        if relation % 2:
            along = -along
        if along > sum(extents) / 2 + 0.02 and abs(across) < 0.4 * along:
            return centres
    return None


def scattered(extents, random):
    centres = []
    for extent in extents:
        for _ in range(60):
            x, y = inside(extent, random), inside(extent, random)
            if all(math.hypot(x - a, y - b) > 1.08 * (extent + other) / 2 for (a, b), other in zip(centres, extents)):
                centres.append((x, y))
                break
        else:
            return None
    return centres
