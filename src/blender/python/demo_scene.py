"""Builds the demo scene: coloured things that roll and turn over a ground, cheap for Cycles on a CPU."""

import json
import math
import os
import sys

import bpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from scene_contents import action_curves  # noqa: E402

FIRST, LAST = 1, 250
# Motion goes on at the same speed well past the scene's own range.
MOTION_FRAMES = 1000


def main():
    request = json.loads(sys.argv[sys.argv.index("--") + 1])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.name = "Handoff"
    settings(scene, request)
    sky(scene)
    ground(texture_of(request))
    movers()
    lights()
    camera(scene)
    path = os.path.join(request["folder"], request["name"])
    bpy.ops.wm.save_as_mainfile(filepath=path, relative_remap=False)
    sys.stdout.flush()
    os._exit(0)


def settings(scene, request):
    scene.frame_start, scene.frame_end = FIRST, LAST
    render = scene.render
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y = request["width"], request["height"]
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode, render.image_settings.color_depth = "RGBA", "8"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", request["samples"], 7
    # Debian's build has no denoiser; an absent one ends a render with an error.
    cycles.use_denoising = False
    cycles.use_adaptive_sampling = False
    cycles.max_bounces = 2
    scene.view_settings.view_transform = "Standard"


def material(name, colour, roughness=0.4, metallic=0.0, glow=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metallic
    if glow:
        emission = shader.inputs.get("Emission") or shader.inputs["Emission Color"]
        emission.default_value = (*colour, 1.0)
        shader.inputs["Emission Strength"].default_value = glow
    return made


def painted(thing, made):
    thing.data.materials.append(made)
    return thing


def ball(radius, location, segments=40, rings=20):
    """A smooth sphere. Blender's own primitive has its faces in another order every time it is made."""
    points = [(0, 0, radius)]
    for ring in range(1, rings):
        tilt = math.pi * ring / rings
        turns = [2 * math.pi * segment / segments for segment in range(segments)]
        wide, high = radius * math.sin(tilt), radius * math.cos(tilt)
        points += [(wide * math.cos(turn), wide * math.sin(turn), high) for turn in turns]
    points.append((0, 0, -radius))
    last = len(points) - 1
    faces = []
    for segment in range(segments):
        right = (segment + 1) % segments
        faces.append((0, 1 + segment, 1 + right))
        for ring in range(rings - 2):
            top, bottom = 1 + ring * segments, 1 + (ring + 1) * segments
            faces.append((top + segment, bottom + segment, bottom + right, top + right))
        faces.append((last, last - segments + right, last - segments + segment))
    mesh = bpy.data.meshes.new("Ball")
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    thing = bpy.data.objects.new("Ball", mesh)
    thing.location = location
    bpy.context.scene.collection.objects.link(thing)
    return thing


def moved(thing, attribute, start, per_frame):
    """A steady motion from frame 1 on: every frame differs from its neighbours."""
    end = [value + speed * MOTION_FRAMES for value, speed in zip(start, per_frame)]
    for frame, value in ((FIRST, start), (FIRST + MOTION_FRAMES, end)):
        setattr(thing, attribute, value)
        thing.keyframe_insert(attribute, frame=frame)
    for curve in action_curves(thing.animation_data.action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def movers():
    bpy.ops.object.empty_add(location=(0, 0, 0))
    wheel = bpy.context.object
    wheel.name = "Wheel"
    moved(wheel, "rotation_euler", (0, 0, 0), (0, 0, math.radians(12)))
    colours = [(0.9, 0.12, 0.08), (0.95, 0.6, 0.05), (0.15, 0.7, 0.2), (0.06, 0.35, 0.9), (0.55, 0.15, 0.8)]
    for index, colour in enumerate(colours):
        angle = 2 * math.pi * index / len(colours)
        where = (2.3 * math.cos(angle), 2.3 * math.sin(angle), 0.55)
        paint = material(f"Ball {index}", colour, 0.15, 0.0 if index % 2 else 0.7)
        painted(ball(0.55, where), paint).parent = wheel
    bpy.ops.mesh.primitive_cube_add(size=1.1, location=(0, 0, 1.15))
    cube = painted(bpy.context.object, material("Cube", (0.02, 0.65, 0.75), 0.3))
    cube.name = "Cube"
    moved(cube, "rotation_euler", (0.6, 0, 0), (math.radians(5), 0, math.radians(10)))
    bpy.ops.mesh.primitive_torus_add(location=(0, 0, 0.25), major_radius=1.2, minor_radius=0.12)
    bpy.ops.object.shade_smooth()
    painted(bpy.context.object, material("Ring", (1.0, 0.75, 0.3), 0.25, 1.0))
    spark = painted(ball(0.18, (0, 0, 2.6), 24, 12), material("Spark", (1.0, 0.8, 0.45), glow=6.0))
    spark.name = "Spark"
    # Crosses the picture around frame 207, the middle of the demo's frames.
    moved(spark, "location", (-46.3, -0.6, 2.3), (0.225, 0, 0))


def ground(image):
    bpy.ops.mesh.primitive_plane_add(size=40, location=(0, 0, 0))
    made = material("Ground", (0.35, 0.37, 0.42))
    nodes, links = made.node_tree.nodes, made.node_tree.links
    # Most pixels are ground: a diffuse shader takes half the time of the principled one.
    nodes.remove(nodes["Principled BSDF"])
    shader = nodes.new("ShaderNodeBsdfDiffuse")
    links.new(shader.outputs["BSDF"], nodes["Material Output"].inputs["Surface"])
    if image is not None:
        pattern = nodes.new("ShaderNodeTexImage")
        pattern.image = image
        pattern.interpolation = "Closest"
    else:
        pattern = nodes.new("ShaderNodeTexChecker")
        pattern.inputs["Color1"].default_value = (0.55, 0.56, 0.6, 1)
        pattern.inputs["Color2"].default_value = (0.12, 0.14, 0.2, 1)
        pattern.inputs["Scale"].default_value = 1.0
    place, scale = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    scale.inputs["Scale"].default_value = (0.8, 0.8, 0.8) if image is None else (0.4, 0.4, 0.4)
    links.new(place.outputs["Object"], scale.inputs["Vector"])
    links.new(scale.outputs["Vector"], pattern.inputs["Vector"])
    links.new(pattern.outputs["Color"], shader.inputs["Color"])
    painted(bpy.context.object, made).name = "Ground"


def texture_of(request):
    """A small PNG beside the scene, named by a relative path; None when none is asked for."""
    if request["texture"] is None:
        return None
    size = 8
    image = bpy.data.images.new("Tiles", size, size)
    warm, cold = (0.85, 0.55, 0.25, 1.0), (0.1, 0.16, 0.3, 1.0)
    tiles = [warm if (x // 4 + y // 4) % 2 else cold for y in range(size) for x in range(size)]
    image.pixels = [part for colour in tiles for part in colour]
    image.filepath_raw = os.path.join(request["folder"], request["texture"])
    image.file_format = "PNG"
    image.save()
    image.source = "FILE"
    image.filepath_raw = "//" + request["texture"]
    return image


def sky(scene):
    world = bpy.data.worlds.new("Sky")
    scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (0.32, 0.45, 0.7, 1)
    background.inputs["Strength"].default_value = 0.55


def lights():
    bpy.ops.object.light_add(type="SUN", rotation=(0.7, 0.25, 0.6))
    sun = bpy.context.object.data
    sun.energy, sun.angle, sun.color = 2.6, 0.05, (1.0, 0.93, 0.82)
    bpy.ops.object.light_add(type="AREA", location=(-4, -4, 5), rotation=(0.8, 0, -0.8))
    area = bpy.context.object.data
    area.energy, area.size, area.color = 220, 4, (0.7, 0.8, 1.0)


def camera(scene):
    bpy.ops.object.camera_add(location=(0, -8.6, 4.1), rotation=(math.radians(67), 0, 0))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 38


main()
