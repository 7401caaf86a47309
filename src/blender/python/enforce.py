"""Runs inside Blender after the scene is opened and before its first frame.

Describes the scene, refuses what would silently render something else, sets what the job asks for, reads it
back, and writes one facts file. With a refusal it ends Blender with exit code 10; the facts say why.
"""

import json
import os
import sys

import bpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import scene_contents  # noqa: E402
import scene_files  # noqa: E402

REFUSED = 10
MOST_ITEMS = 40

# What a job may set beyond the named settings: contracts/documents/job.ts, EXTRA_SETTINGS.
EXTRA_SETTINGS = {
    "scene.allow_missing",
    "cycles.max_bounces",
    "cycles.use_adaptive_sampling",
    "cycles.use_denoising",
    "render.film_transparent",
    "render.use_motion_blur",
}


class Refusals:
    """Codes with what they are about, in the order in which they were found."""

    def __init__(self):
        self.rows = {}

    def add(self, code, items):
        kept = self.rows.setdefault(code, [])
        kept.extend(str(item)[:400] for item in items)
        if not kept:
            del self.rows[code]

    def listed(self):
        return [{"code": code, "items": items[:MOST_ITEMS]} for code, items in self.rows.items()]


def main():
    request = json.loads(sys.argv[sys.argv.index("--") + 1])
    scene = bpy.context.scene
    refusals = Refusals()
    opened(request, refusals)
    contents = scene_contents.described(scene, request["rules"])
    contents.update(scene_files.found(request["root"], request["frames"]))
    settings = None
    device = {"class": "CPU", "name": "unknown"}
    asked = resolved(request["settings"], contents, request["rules"])
    if asked is not None:
        complete(contents, request["scripts"], asked, refusals)
        settings = enforced(scene, asked, request, refusals)
        device = chosen_device(scene, asked, refusals)
        denoisers(scene, asked, contents, refusals)
    written(
        request["facts"],
        {
            "schema": "render_handoff.blender_facts.v1",
            "version": ".".join(str(part) for part in bpy.app.version),
            "build_hash": bpy.app.build_hash.decode("ascii", "replace"),
            "device": device,
            "settings": settings,
            "refusals": refusals.listed(),
            "scene": contents,
        },
    )
    if request["mode"] == "inspect" or refusals.listed():
        sys.stdout.flush()
        os._exit(REFUSED if refusals.listed() else 0)


def opened(request, refusals):
    """A scene that cannot be read leaves the default scene in place on some versions."""
    if os.path.realpath(bpy.data.filepath or "/") != os.path.realpath(request["scene"]):
        refusals.add("RENDER_SCENE_INVALID", ["the scene was not opened"])
    elif bpy.data.version[:2] > bpy.app.version[:2]:
        saved = ".".join(str(part) for part in bpy.data.version)
        refusals.add("RENDER_SCENE_INVALID", [f"saved by a newer Blender ({saved})"])


def resolved(asked, contents, rules):
    """The job's settings; what a submit leaves open is the scene's own. None where nothing is asked."""
    if asked is None:
        return None
    engines = {identifier: name for name, identifier in rules["engines"].items()}
    own = {"engine": engines.get(contents["engine"]), "samples": max(1, contents["samples"])}
    own.update(width=contents["width"], height=contents["height"], seed=max(0, contents["seed"]))
    return {name: own.get(name) if value is None else value for name, value in asked.items()}


def complete(contents, scripts_allowed, asked, refusals):
    refusals.add("RENDER_SCENE_ESCAPES", contents["escaping"])
    if {"path": "scene.allow_missing", "value": True} not in asked["extra"]:
        refusals.add("RENDER_SCENE_INCOMPLETE", contents["missing"])
    if not scripts_allowed:
        refusals.add("RENDER_SCRIPTS_REFUSED", contents["scripts"])
    refusals.add("RENDER_SCENE_WRITES_FILES", contents["file_outputs"])
    if contents["camera"] is None:
        refusals.add("RENDER_SCENE_INVALID", ["the scene has no camera"])


def wanted(scene, asked, rules, kept_stamps):
    """(name, owner, attribute, value) in an order that Blender accepts."""
    render, image = scene.render, scene.render.image_settings
    rows = [("image_settings", image, "media_type", "IMAGE")] if rules["media_type"] else []
    output = asked["output"]
    rows += [
        ("image_settings", image, "file_format", "PNG"),
        ("image_settings", image, "color_mode", output["color_mode"]),
        ("image_settings", image, "color_depth", str(output["bit_depth"])),
        ("render", render, "use_multiview", False),
        ("render", render, "resolution_x", asked["width"]),
        ("render", render, "resolution_y", asked["height"]),
        ("render", render, "resolution_percentage", 100),
        ("render", render, "use_border", False),
        ("render", render, "use_crop_to_border", False),
        ("render", render, "use_overwrite", True),
        ("render", render, "use_placeholder", False),
        ("render", render, "use_file_extension", True),
        ("scene", scene, "frame_step", 1),
    ]
    # Stamps put times, paths and host names into the file; the frame number alone is wanted, and what this
    # worker keeps for itself.
    stamps = [name for name in render.bl_rna.properties.keys() if name.startswith("use_stamp")]
    rows += [("render", render, name, name in ("use_stamp_frame", *kept_stamps)) for name in stamps]
    if asked["engine"] == "CYCLES":
        rows += [
            ("cycles", scene.cycles, "samples", asked["samples"]),
            # A view layer's own number of samples would take the place of the scene's.
            ("cycles", scene.cycles, "use_layer_samples", "IGNORE"),
            ("cycles", scene.cycles, "seed", asked["seed"]),
            # A time limit would make the picture depend on the machine's speed.
            ("cycles", scene.cycles, "time_limit", 0.0),
            ("cycles", scene.cycles, "device", "CPU" if asked["device"] == "CPU" else "GPU"),
        ]
    elif asked["engine"] == "EEVEE":
        rows.append(("eevee", scene.eevee, "taa_render_samples", asked["samples"]))
    owners = {"cycles": getattr(scene, "cycles", None), "render": render}
    for extra in asked["extra"]:
        owner, attribute = extra["path"].split(".")
        if extra["path"] in EXTRA_SETTINGS and owner in owners:
            rows.append((owner, owners[owner], attribute, extra["value"]))
    return rows


def enforced(scene, asked, request, refusals):
    """Sets everything, then reads everything back: what differs is refused. Returns what was read."""
    rules = request["rules"]
    engine = rules["engines"].get(asked["engine"])
    if engine is None:
        refusals.add("RENDER_ENGINE_UNSUPPORTED", [f"{scene.render.engine} is none that a job can ask for"])
        return None
    try:
        scene.render.engine = engine
    except TypeError:
        refusals.add("RENDER_ENGINE_UNSUPPORTED", [f"{engine} is not in this Blender"])
        return None
    rows = wanted(scene, asked, rules, request.get("stamps", []))
    for name, owner, attribute, value in rows:
        try:
            setattr(owner, attribute, value)
        except (TypeError, AttributeError, ValueError) as error:
            refusals.add("RENDER_SETTINGS_REFUSED", [f"{name}.{attribute}: {error}"])
    read = {f"{name}.{attribute}": getattr(owner, attribute, None) for name, owner, attribute, _ in rows}
    read["render.engine"] = scene.render.engine
    differing = [
        f"{name}.{attribute}: asked {value!r}, read {read[f'{name}.{attribute}']!r}"
        for name, _, attribute, value in rows
        if read[f"{name}.{attribute}"] != value
    ]
    if scene.render.engine != engine:
        differing.append(f"render.engine: asked {engine!r}, read {scene.render.engine!r}")
    animated = scene_contents.animated_paths(scene) & set(read)
    differing += [f"{path}: animated by the scene" for path in sorted(animated)]
    refusals.add("RENDER_SETTINGS_REFUSED", differing)
    return read


def chosen_device(scene, asked, refusals):
    """Cycles on a GPU that is not there renders on the CPU and says nothing: refused here."""
    if asked["engine"] != "CYCLES":
        return {"class": asked["device"], "name": "unknown"}
    if asked["device"] == "CPU":
        import _cycles

        names = [row[0] for row in _cycles.available_devices("CPU") if row[1] == "CPU"]
        return {"class": "CPU", "name": (names[0] if names else "unknown")[:200] or "unknown"}
    preferences = bpy.context.preferences.addons["cycles"].preferences
    try:
        preferences.compute_device_type = asked["device"]
        preferences.get_devices_for_type(asked["device"])
    except (TypeError, ValueError, AttributeError):
        refusals.add("RENDER_DEVICE_MISSING", [f"this Blender has no {asked['device']}"])
        return {"class": asked["device"], "name": "unknown"}
    used = [device for device in preferences.devices if device.type == asked["device"]]
    for device in preferences.devices:
        device.use = device.type == asked["device"]
    if not used:
        refusals.add("RENDER_DEVICE_MISSING", [f"no {asked['device']} device on this machine"])
    return {"class": asked["device"], "name": used[0].name[:200] if used else "unknown"}


def denoisers(scene, asked, contents, refusals):
    """Without the library Cycles ends with an error, and the compositor's node lets noise through."""
    import _cycles

    if _cycles.with_openimagedenoise:
        return
    cycles_asks = asked["engine"] == "CYCLES" and scene.cycles.use_denoising
    asking = ["render settings"] if cycles_asks else []
    refusals.add("RENDER_DENOISER_MISSING", asking + contents["denoise_nodes"])


def written(path, facts):
    """Whole or not at all: the reader never sees half a file."""
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False)
    # Paths are bytes: what is no UTF-8 in them came in as lone surrogates, which are no JSON.
    harmless = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    with open(path + ".partial", "w", encoding="utf-8") as file:
        file.write(harmless)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".partial", path)


main()
