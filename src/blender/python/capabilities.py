"""Says what this Blender was built with: engines that can be chosen, the denoiser, its own version."""

import json
import os
import sys

import _cycles
import bpy


def takes(engine):
    try:
        bpy.context.scene.render.engine = engine
    except TypeError:
        return False
    return bpy.context.scene.render.engine == engine


request = json.loads(sys.argv[sys.argv.index("--") + 1])
found = {
    "schema": "render_handoff.blender_capabilities.v1",
    "version": ".".join(str(part) for part in bpy.app.version),
    "engines": [name for name, identifier in request["engines"].items() if takes(identifier)],
    "denoiser": bool(_cycles.with_openimagedenoise),
}
with open(request["file"], "w", encoding="utf-8") as file:
    json.dump(found, file)
sys.stdout.flush()
os._exit(0)
