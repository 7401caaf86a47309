"""External files of a scene: which must travel with it, which are missing, which lie outside its folder."""

import collections
import os
import re

import bpy

import scene_contents

MOST = 10_000


def found(root, frames):
    """Lists of `files` (below root), `missing` and `escaping`; texts for people name kind and path."""
    given, root = os.path.normpath(root), os.path.realpath(root)
    kinds = named_paths()
    shipped = [os.path.realpath(path) for path in (bpy.utils.system_resource("DATAFILES"),) if path]
    files, missing, escaping, counted = set(), [], [], sequences()
    for stored, absolute in external_paths():
        label = f"{kinds.get(os.path.normpath(absolute), 'file')}: {stored}"
        real = os.path.realpath(absolute)
        if any(inside(real, folder) for folder in shipped):
            continue
        # An absolute path fits this machine alone, even when it points into the folder.
        if not stored.startswith("//") or not inside(real, root):
            escaping.append(label)
            continue
        there = present(absolute, counted)
        files.update(os.path.relpath(path, given) for path in there)
        if not there:
            missing.append(label)
    missing += gaps(frames)
    return {
        "files": sorted(files)[:MOST],
        "missing": sorted(set(missing))[:MOST],
        "escaping": sorted(set(escaping))[:MOST],
    }


def external_paths():
    """(as stored, absolute) of everything that is not packed. A text's path is where it once came from."""
    stored = bpy.utils.blend_paths(absolute=False, packed=False, local=False)
    absolute = bpy.utils.blend_paths(absolute=True, packed=False, local=False)
    named = collections.Counter(pair for pair in zip(stored, absolute) if pair[0])
    # Each text takes away its own mention only: another data-block may name the same file.
    for text in bpy.data.texts:
        if text.filepath:
            named[(text.filepath, bpy.path.abspath(text.filepath, library=text.library))] -= 1
    return sorted(pair for pair, users in named.items() if users > 0)


def named_paths():
    """Absolute path to the kind and name of what uses it."""
    kinds = {}
    for kind, blocks in (
        ("image", bpy.data.images),
        ("library", bpy.data.libraries),
        ("font", bpy.data.fonts),
        ("sound", bpy.data.sounds),
        ("movie clip", bpy.data.movieclips),
        ("cache", bpy.data.cache_files),
        ("volume", bpy.data.volumes),
    ):
        for block in blocks:
            if block.filepath:
                path = bpy.path.abspath(block.filepath, library=getattr(block, "library", None))
                kinds[os.path.normpath(path)] = f"{kind} {block.name}"
    return kinds


def present(path, counted):
    """Files that a path stands for: itself, the tiles of <UDIM>, its sequence if `counted`, a cache's folder."""
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        return [os.path.join(top, file) for top, _, files in os.walk(path) for file in files]
    if not os.path.isdir(folder):
        return []
    if "<UDIM>" in name or "<UVTILE>" in name:
        tile = re.escape(name).replace("<UDIM>", r"\d{4}").replace("<UVTILE>", r"u\d+_v\d+")
        return [os.path.join(folder, other) for other in os.listdir(folder) if re.fullmatch(tile, other)]
    if not os.path.isfile(path):
        return []
    return [path, *sequence(folder, name)] if path in counted else [path]


def sequences():
    """Absolute paths that stand for numbered files."""
    return {
        bpy.path.abspath(block.filepath, library=block.library)
        for blocks in (bpy.data.images, bpy.data.movieclips, bpy.data.volumes, bpy.data.cache_files)
        for block in blocks
        if getattr(block, "source", "") == "SEQUENCE" or getattr(block, "is_sequence", False)
    }


def sequence(folder, name):
    parts = re.fullmatch(r"(.*?)(\d+)(\D*)", name)
    if not parts:
        return []
    pattern = re.escape(parts[1]) + r"\d+" + re.escape(parts[3])
    return [os.path.join(folder, other) for other in os.listdir(folder) if re.fullmatch(pattern, other)]


def gaps(frames):
    """Files of sequences and tiles that one of the frames needs and that are not there."""
    lacking = tiles_missing()
    for kind, block, first, numbers in numbered(frames):
        path = bpy.path.abspath(block.filepath, library=block.library)
        parts = re.fullmatch(r"(.*?)(\d+)(\D*)", os.path.basename(path))
        # Without its first file the whole sequence is missing, and is told as that.
        if not parts or not os.path.isfile(path):
            continue
        base = int(parts[2]) if first is None else first
        for number in sorted({base + number for number in numbers}):
            name = f"{parts[1]}{number:0{len(parts[2])}d}{parts[3]}"
            if not os.path.isfile(os.path.join(os.path.dirname(path), name)):
                stored = block.filepath.removesuffix(os.path.basename(path)) + name
                lacking.append(f"{kind} {block.name}: {stored}")
    return lacking


def numbered(frames):
    """(kind, data-block, number that counting starts from or None for its file's own, numbers of the frames)."""
    for image, user in image_users():
        if image is not None and image.source == "SEQUENCE" and not image.packed_file:
            yield "image", image, 0, {shown(user, frame) for frame in frames} - {None}
    for clip in {node.clip for node in clip_nodes() if node.clip is not None}:
        # Blender takes what follows a gap for the end of the clip and shows nothing.
        if clip.source == "SEQUENCE":
            yield "movie clip", clip, None, {
                frame - clip.frame_start + clip.frame_offset for frame in frames if frame >= clip.frame_start
            }
    for volume in bpy.data.volumes:
        if volume.is_sequence:
            yield "volume", volume, 0, {grid_shown(volume, frame) for frame in frames} - {None}
    for cache in bpy.data.cache_files:
        if cache.is_sequence:
            at = [cache.frame] if cache.override_frame else frames
            yield "cache", cache, 0, {int(frame - cache.frame_offset) for frame in at}


def tiles_missing():
    """Tiles that an image names and that are not there: any one of them makes the image look present."""
    lacking = []
    for image in bpy.data.images:
        if image.source != "TILED" or image.packed_file or len(image.packed_files) > 0:
            continue
        for tile in image.tiles:
            column, row = (tile.number - 1001) % 10 + 1, (tile.number - 1001) // 10 + 1
            stored = image.filepath.replace("<UDIM>", str(tile.number))
            stored = stored.replace("<UVTILE>", f"u{column}_v{row}")
            if stored and not os.path.isfile(bpy.path.abspath(stored, library=image.library)):
                lacking.append(f"image {image.name}: {stored}")
    return lacking


def clip_nodes():
    for block in scene_contents.data_blocks():
        for node in getattr(block, "nodes", ()):
            if hasattr(node, "clip") and not node.mute:
                yield node


def image_users():
    """(image, what says which of its pictures belongs to a frame) of nodes in every tree."""
    for block in scene_contents.data_blocks():
        for node in getattr(block, "nodes", ()):
            image = getattr(node, "image", None)
            if image is not None:
                # The compositor's node has the numbers itself.
                yield image, getattr(node, "image_user", node)


def shown(user, frame):
    """Number of the picture that a frame shows; None before the first and after the last."""
    length, place = user.frame_duration, frame - user.frame_start + 1
    if length < 1:
        return None
    if user.use_cyclic:
        place = (place - 1) % length + 1
    return place + user.frame_offset if 1 <= place <= length else None


def grid_shown(volume, frame):
    """Number of the file that a frame shows; None before the first and after the last of a clipped sequence."""
    length, place = volume.frame_duration, frame - volume.frame_start + 1
    if length < 1:
        return None
    if volume.sequence_mode == "CLIP" and not 1 <= place <= length:
        return None
    if volume.sequence_mode == "REPEAT":
        place = (place - 1) % length + 1
    elif volume.sequence_mode == "PING_PONG" and length > 1:
        place = (place - 1) % (2 * length - 2) + 1
        place = place if place <= length else 2 * length - place
    return min(max(place, 1), length) + volume.frame_offset


def inside(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
