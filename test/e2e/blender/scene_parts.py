"""Parts of small scenes, and the list of the scenes that are made."""

import bpy

VARIANTS = {}


def variant(function):
    VARIANTS[function.__name__] = function
    return function


def base():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.save_version = 0
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.use_denoising = False
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.data.materials.append(bpy.data.materials.new("Paint"))
    bpy.ops.object.camera_add(location=(0, -6, 2), rotation=(1.25, 0, 0))
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.3, 0))
    return scene


def paint_with(path):
    material = bpy.data.materials["Paint"]
    material.use_nodes = True
    image = bpy.data.images.new("Wood", 4, 4)
    image.source = "FILE"
    image.filepath_raw = path
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.links.new(
        node.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
    )
    return image


def compositor(scene, kind):
    scene.use_nodes = True
    return scene.node_tree.nodes.new(kind)


def driven(expression):
    driver = bpy.data.objects["Cube"].driver_add("location", 0).driver
    driver.type, driver.expression = "SCRIPTED", expression
