"""Renders frames 205-210 of the made scenes that docs/CONTENT.md quotes, all in one Blender.

Usage: blender --background DEMO.blend --python scenes.py -- FOLDER [SCENE ...]
"""

import math
import os
import sys

import bpy

FRAMES = range(205, 211)


def keyed(thing, attribute, values, index=-1):
    """One key a frame; `values` gives the value of each."""
    for frame in range(FRAMES[0] - 1, FRAMES[-1] + 2):
        value = values(frame - FRAMES[0])
        if index < 0:
            setattr(thing, attribute, value)
        else:
            getattr(thing, attribute)[index] = value
        thing.keyframe_insert(attribute, index=index, frame=frame)


def demo():
    pass


def still():
    """Nothing moves: every animation is taken away at frame 205."""
    bpy.context.scene.frame_set(205)
    for thing in bpy.data.objects:
        thing.animation_data_clear()


def spark():
    """Only a small ball moves: the least motion that one sees."""
    for thing in bpy.data.objects:
        if thing.name != "Spark":
            thing.animation_data_clear()


def fast():
    """The camera whips round, 25 degrees a frame."""
    keyed(bpy.context.scene.camera, "rotation_euler", lambda step: math.radians(25 * step), 2)


def accelerating():
    """The camera starts from rest at 207 and is fast at once: the hardest seam of an honest shot."""
    keyed(
        bpy.context.scene.camera, "rotation_euler", lambda step: math.radians(4 * max(0, step - 2) ** 2), 2
    )


def fade():
    """All light goes down in five steps; 210 is black."""
    light = [1.0, 0.6, 0.35, 0.15, 0.04, 0.0]
    lamps(lambda step: light[min(max(step, 0), 5)])


def lamps(share):
    """Every light and the sky at a share of its strength."""
    for lamp in bpy.data.lights:
        energy = lamp.energy
        keyed(lamp, "energy", lambda step, energy=energy: energy * share(step))
    socket = bpy.context.scene.world.node_tree.nodes["Background"].inputs["Strength"]
    strength = socket.default_value
    keyed(socket, "default_value", lambda step: strength * share(step))
    for made in bpy.data.materials:
        for node in made.node_tree.nodes if made.use_nodes else []:
            glow = node.inputs.get("Emission Strength")
            if glow is not None and glow.default_value > 0:
                keep = glow.default_value
                keyed(glow, "default_value", lambda step, keep=keep: keep * share(step))


def dark():
    """A night: a hundredth of the light."""
    lamps(lambda step: 0.01)


def cut():
    """A cut to another camera at 207, inside slot a."""
    keyed(bpy.context.scene.camera, "rotation_euler", lambda step: math.pi if step >= 2 else 0.0, 2)


def missing(name, *, emission=False):
    """A material whose image is not there."""
    material = bpy.data.materials[name]
    nodes, links = material.node_tree.nodes, material.node_tree.links
    image = bpy.data.images.new("gone", 8, 8)
    image.source, image.filepath = "FILE", "//no-such-picture.png"
    picture = nodes.new("ShaderNodeTexImage")
    picture.image = image
    if emission:
        shader = nodes.new("ShaderNodeEmission")
        links.new(picture.outputs["Color"], shader.inputs["Color"])
        links.new(shader.outputs[0], nodes["Material Output"].inputs["Surface"])
        return
    for node in nodes:
        if node.type in {"BSDF_DIFFUSE", "BSDF_PRINCIPLED"}:
            links.new(picture.outputs["Color"], node.inputs[0])


def missing_ground():
    missing("Ground")


def missing_ground_filmic():
    missing("Ground")
    bpy.context.scene.view_settings.view_transform = "Filmic"


def missing_cube():
    missing("Cube")


def missing_ball():
    missing("Ball 1")


def missing_screen():
    missing("Cube", emission=True)


def purple():
    """Violet light and a violet thing, all meant: nothing is missing."""
    for lamp in bpy.data.lights:
        lamp.color = (0.75, 0.25, 1.0)
    bpy.context.scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.4, 0.1, 0.55, 1)


def neon():
    """A sky of pure magenta, meant: what the sensor cannot tell from a missing image."""
    bpy.context.scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 0, 0.8, 1)


def mist():
    """All white but for shades of one level."""
    for thing in list(bpy.data.objects):
        if thing.type in {"MESH", "LIGHT"}:
            bpy.data.objects.remove(thing)
    sky = bpy.context.scene.world.node_tree.nodes["Background"]
    sky.inputs["Color"].default_value, sky.inputs["Strength"].default_value = (0.9, 0.9, 0.9, 1), 1.0


def cutout():
    """The film is transparent and the ball alone is in view."""
    for thing in list(bpy.data.objects):
        if thing.name == "Ground":
            bpy.data.objects.remove(thing)
    bpy.context.scene.render.film_transparent = True


def empty_film():
    """Nothing in view of a transparent film."""
    mist()
    bpy.context.scene.render.film_transparent = True


def other_light():
    """The demo with another sun: what a wrong scene of slot b would look like."""
    sun = next(lamp for lamp in bpy.data.lights if lamp.type == "SUN")
    sun.energy, sun.color = 0.8, (1.0, 0.6, 0.3)


def no_ground():
    """The demo without its ground: a collection that was not linked."""
    bpy.data.objects["Ground"].hide_render = True


SCENES = [
    demo,
    still,
    spark,
    fast,
    accelerating,
    fade,
    dark,
    cut,
    missing_ground,
    missing_ground_filmic,
    missing_cube,
    missing_ball,
    missing_screen,
    purple,
    neon,
    mist,
    cutout,
    empty_film,
    other_light,
    no_ground,
]


def main():
    folder, *wanted = sys.argv[sys.argv.index("--") + 1 :]
    source = bpy.data.filepath
    for make in SCENES:
        if wanted and make.__name__ not in wanted:
            continue
        bpy.ops.wm.open_mainfile(filepath=source)
        make()
        scene = bpy.context.scene
        scene.render.threads_mode, scene.render.threads = "FIXED", 2
        for frame in FRAMES:
            scene.frame_set(frame)
            scene.render.filepath = os.path.join(folder, make.__name__, f"frame_{frame:04d}.png")
            bpy.ops.render.render(write_still=True)
    sys.stdout.flush()
    os._exit(0)


main()
