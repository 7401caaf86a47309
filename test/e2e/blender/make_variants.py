"""Makes small scenes with one thing wrong each, and one with many odd things that are all right."""

import os
import sys

import bpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(__file__))
from file_variants import film
from scene_parts import VARIANTS, base, compositor, driven, paint_with, variant

TOP = sys.argv[sys.argv.index("--") + 1]


@variant
def plain(scene, folder):
    pass


@variant
def much_amiss(scene, folder):
    film(folder)
    paint_with("//../outside.png")
    driven("len(str(frame))")
    compositor(scene, "CompositorNodeOutputFile")
    scene.cycles.use_denoising = True
    bpy.data.objects.remove(scene.camera)


@variant
def no_camera(scene, folder):
    bpy.data.objects.remove(scene.camera)


@variant
def driver_that_needs_scripts(scene, folder):
    driven("len(str(frame))")


@variant
def registered_text(scene, folder):
    text = bpy.data.texts.new("boot.py")
    text.from_string("print('booted')\n")
    text.use_module = True


@variant
def handler_that_raises(scene, folder):
    text = bpy.data.texts.new("boot.py")
    angry = "def angry(*_):\n    raise RuntimeError('angry')\n"
    text.from_string(f"import bpy\n{angry}bpy.app.handlers.render_pre.append(angry)\n")
    text.use_module = True


@variant
def file_output_node(scene, folder):
    compositor(scene, "CompositorNodeOutputFile")


@variant
def denoise_setting(scene, folder):
    scene.cycles.use_denoising = True


@variant
def denoise_node(scene, folder):
    compositor(scene, "CompositorNodeDenoise")


@variant
def animated_samples(scene, folder):
    for frame, samples in ((205, 2), (207, 32)):
        scene.cycles.samples = samples
        scene.cycles.keyframe_insert("samples", frame=frame)


@variant
def samples_animated_by_a_strip(scene, folder):
    animated_samples(scene, folder)
    animation = scene.animation_data
    action, animation.action = animation.action, None
    animation.nla_tracks.new().strips.new("Samples", 205, action)


@variant
def samples_of_a_view_layer(scene, folder):
    scene.view_layers[0].samples = 4_000
    scene.cycles.use_layer_samples = "USE"


@variant
def odd_but_right(scene, folder):
    """Everything that would change the output's name, size or format, all to be overruled."""
    render = scene.render
    render.use_multiview = True
    render.use_border, render.use_crop_to_border, render.border_max_x = True, True, 0.5
    render.resolution_percentage, scene.frame_step = 25, 5
    render.use_overwrite, render.use_placeholder = False, True
    render.image_settings.file_format = "JPEG"
    render.filepath = "//elsewhere/"
    render.use_stamp, render.use_stamp_note, render.stamp_note_text = True, True, "burnt in"
    scene.cycles.time_limit, scene.cycles.device = 0.01, "GPU"
    driven("frame * 0.01")
    compositor(scene, "CompositorNodeOutputFile").mute = True
    scene.use_nodes = True
    layers = scene.node_tree.nodes.new("CompositorNodeRLayers")
    out = scene.node_tree.nodes.new("CompositorNodeComposite")
    scene.node_tree.links.new(layers.outputs["Image"], out.inputs["Image"])
    text = bpy.data.texts.new("notes")
    text.filepath = "/home/somebody/notes.txt"
    packed = bpy.data.images.new("Packed", 4, 4)
    packed.pack()


for name, change in VARIANTS.items():
    folder = os.path.join(TOP, name)
    os.makedirs(folder)
    if change(base(), folder) != "saved":
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "scene.blend"), relative_remap=False)
os._exit(0)
