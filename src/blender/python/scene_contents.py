"""What a scene says about itself, and what in it would need scripts or write files of its own."""

import bpy


def described(scene, rules):
    render = scene.render
    cycles = getattr(scene, "cycles", None)
    nodes = list(compositor_nodes(scene, rules))
    return {
        "engine": render.engine,
        "frame_start": scene.frame_start,
        "frame_end": scene.frame_end,
        "fps": round(render.fps / render.fps_base, 3),
        "width": render.resolution_x * render.resolution_percentage // 100,
        "height": render.resolution_y * render.resolution_percentage // 100,
        "file_format": render.image_settings.file_format,
        "color_mode": render.image_settings.color_mode,
        "color_depth": render.image_settings.color_depth,
        "film_transparent": render.film_transparent,
        "samples": samples_of(scene),
        "seed": cycles.seed if cycles else 0,
        "device": cycles.device if cycles else "CPU",
        "denoise": bool(cycles and cycles.use_denoising),
        "denoise_nodes": [node.name for node in nodes if node.bl_idname == "CompositorNodeDenoise"],
        "file_outputs": [node.name for node in nodes if node.bl_idname == "CompositorNodeOutputFile"],
        "camera": camera_of(scene),
        "multiview": render.use_multiview,
        "border": render.use_border,
        "saved_by": ".".join(str(part) for part in bpy.data.version),
        "scripts": script_users(),
    }


def samples_of(scene):
    if scene.render.engine == "CYCLES":
        return scene.cycles.samples
    eevee = getattr(scene, "eevee", None)
    return eevee.taa_render_samples if eevee else 1


def camera_of(scene):
    """The active camera, one bound to a marker, or a sequence that needs none; else None."""
    bound = [marker.camera for marker in scene.timeline_markers if marker.camera is not None]
    camera = scene.camera or (bound[0] if bound else None)
    if camera is not None:
        return camera.name
    editor = scene.sequence_editor
    strips = editor and (getattr(editor, "strips_all", None) or getattr(editor, "sequences_all", None))
    return "sequence" if strips and scene.render.use_sequencer else None


def compositor_nodes(scene, rules):
    """Unmuted nodes that take part in a render, those inside groups too."""
    tree = getattr(scene, rules["compositor"], None)
    if not (scene.use_nodes and scene.render.use_compositing and tree):
        return
    trees, seen = [tree], set()
    while trees:
        tree = trees.pop()
        if tree.name_full in seen:
            continue
        seen.add(tree.name_full)
        for node in tree.nodes:
            if not node.mute:
                yield node
                if getattr(node, "node_tree", None):
                    trees.append(node.node_tree)


def data_blocks():
    """Every data-block, and the node trees that are embedded in others."""
    for collection in bpy.data.bl_rna.properties:
        if collection.type == "COLLECTION":
            for block in getattr(bpy.data, collection.identifier):
                yield block
                tree = getattr(block, "node_tree", None)
                if tree is not None:
                    yield tree


def script_users():
    """What behaves differently when scripts are off: drivers beyond plain arithmetic, registered texts."""
    found = [f"text {text.name}" for text in bpy.data.texts if text.use_module]
    for block in data_blocks():
        animation = getattr(block, "animation_data", None)
        for curve in animation.drivers if animation else ():
            driver = curve.driver
            if driver.type == "SCRIPTED" and not driver.is_simple_expression:
                found.append(f"driver of {block.name_full}.{curve.data_path}")
    if bpy.app.autoexec_fail and not found:
        found.append(bpy.app.autoexec_fail_message or "a script")
    return sorted(set(found))[:40]


def animated_paths(scene):
    """Data paths of the scene that an action, a strip of one or a driver changes from frame to frame."""
    animation = scene.animation_data
    if animation is None:
        return set()
    tracks = [strip for track in animation.nla_tracks for strip in track.strips]
    actions = [animation.action, *(strip.action for strip in every_strip(tracks))]
    curves = list(animation.drivers) + [curve for action in actions if action for curve in action_curves(action)]
    return {curve.data_path for curve in curves}


def every_strip(strips):
    """Strips of the animation editor, those inside others too."""
    for strip in strips:
        yield strip
        yield from every_strip(strip.strips)


def action_curves(action):
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    ]
