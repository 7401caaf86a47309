"""Scenes whose external files are missing, incomplete or outside their folder."""

import os

import bpy

from scene_parts import compositor, paint_with, variant


@variant
def missing_texture(scene, folder):
    paint_with("//textures/gone.png")


@variant
def escaping_texture(scene, folder):
    paint_with("//../outside.png")


@variant
def absolute_texture(scene, folder):
    paint_with("/usr/share/somewhere/wood.png")


def text_of(path):
    """A text that once came from a file of this name."""
    bpy.data.texts.new("notes").filepath = path


@variant
def absolute_texture_named_by_a_text(scene, folder):
    absolute_texture(scene, folder)
    text_of("/usr/share/somewhere/wood.png")
    text_of("/usr/share/somewhere/wood.png")


@variant
def missing_texture_named_by_a_text(scene, folder):
    missing_texture(scene, folder)
    text_of("//textures/gone.png")


@variant
def linked_texture(scene, folder):
    paint_with("//link.png")
    os.symlink("/etc/hostname", os.path.join(folder, "link.png"))


@variant
def sequence_with_a_gap(scene, folder):
    film(folder)


def film(folder):
    """An image sequence that starts at frame 1; of the pictures of frames 205 to 210 only that of 205 is there."""
    image = paint_with("//film_0001.png")
    image.name = "Film"
    image.source = "SEQUENCE"
    picture = bpy.data.images.new("Picture", 4, 4)
    picture.file_format = "PNG"
    for number in (1, 205):
        picture.filepath_raw = os.path.join(folder, f"film_{number:04d}.png")
        picture.save()
    bpy.data.images.remove(picture)
    user = bpy.data.materials["Paint"].node_tree.nodes["Image Texture"].image_user
    user.frame_duration, user.frame_start, user.use_auto_refresh = 250, 1, True


@variant
def missing_font(scene, folder):
    font = os.path.join(folder, "a.ttf")
    shipped = os.path.join(bpy.utils.system_resource("DATAFILES"), "fonts")
    found = [os.path.join(top, name) for top, _, names in os.walk(shipped) for name in names]
    found += ["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"]
    usable = next(path for path in found if path.endswith((".ttf", ".woff2")) and os.path.exists(path))
    with open(usable, "rb") as source, open(font, "wb") as copy:
        copy.write(source.read())
    bpy.ops.object.text_add()
    bpy.context.object.data.font = bpy.data.fonts.load(font)
    bpy.context.object.data.font.filepath = "//a.ttf"
    os.remove(font)


@variant
def missing_volume(scene, folder):
    bpy.data.volumes.new("Smoke").filepath = "//smoke.vdb"
    bpy.data.objects.new("Smoke", bpy.data.volumes["Smoke"])
    scene.collection.objects.link(bpy.data.objects["Smoke"])


@variant
def volume_sequence_with_a_gap(scene, folder):
    missing_volume(scene, folder)
    volume = bpy.data.volumes["Smoke"]
    volume.filepath, volume.is_sequence, volume.frame_duration = "//smoke_0001.vdb", True, 250
    for number in (1, 205):
        touch(os.path.join(folder, f"smoke_{number:04d}.vdb"))


def touch(path):
    open(path, "wb").close()


def movie_clip(scene, folder):
    """A clip of pictures 1, 205 in the compositor."""
    film(folder)
    bpy.data.images.remove(bpy.data.images["Film"])
    clip = bpy.data.movieclips.load(os.path.join(folder, "film_0001.png"))
    # A relative path means something, and the file is looked at, only once the scene has a place.
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "scene.blend"))
    clip.name, clip.filepath = "Clip", "//film_0001.png"
    compositor(scene, "CompositorNodeMovieClip").clip = clip


@variant
def movie_clip_with_a_gap(scene, folder):
    movie_clip(scene, folder)


@variant
def missing_movie_clip(scene, folder):
    movie_clip(scene, folder)
    os.remove(os.path.join(folder, "film_0001.png"))


def cache_file(folder):
    bpy.ops.cachefile.open(filepath=os.path.join(folder, "cloth_0001.abc"))
    cache = bpy.data.cache_files[0]
    cache.name, cache.filepath = "Cloth", "//cloth_0001.abc"
    bpy.data.objects["Cube"].modifiers.new("Cache", "MESH_SEQUENCE_CACHE").cache_file = cache
    return cache


@variant
def missing_cache_file(scene, folder):
    cache_file(folder)


@variant
def cache_sequence_with_a_gap(scene, folder):
    cache_file(folder).is_sequence = True
    for number in (1, 205):
        touch(os.path.join(folder, f"cloth_{number:04d}.abc"))


@variant
def missing_mesh_cache(scene, folder):
    bpy.data.objects["Cube"].modifiers.new("Baked", "MESH_CACHE").filepath = "//baked.mdd"


@variant
def missing_udim_tile(scene, folder):
    image = paint_with("//wood.<UDIM>.png")
    image.source = "TILED"
    image.tiles.new(1002)
    picture = bpy.data.images.new("Picture", 4, 4)
    picture.file_format, picture.filepath_raw = "PNG", os.path.join(folder, "wood.1001.png")
    picture.save()
    bpy.data.images.remove(picture)


@variant
def missing_sound(scene, folder):
    path = os.path.join(folder, "a.wav")
    with open(path, "wb") as file:
        file.write(b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0")
        file.write(b"\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\0\0\0\0")
    bpy.ops.object.speaker_add()
    bpy.context.object.data.sound = bpy.data.sounds.load(path)
    bpy.context.object.data.sound.filepath = "//a.wav"
    os.remove(path)


@variant
def missing_library(scene, folder):
    library(folder)
    os.remove(os.path.join(folder, "library.blend"))


@variant
def library_without_its_part(scene, folder):
    library(folder)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "scene.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "library.blend"))
    bpy.ops.wm.open_mainfile(filepath=os.path.join(folder, "scene.blend"))
    return "saved"


def library(folder):
    """A second file with one object, linked into the scene by a relative path."""
    path = os.path.join(folder, "library.blend")
    thing = bpy.data.objects.new("Borrowed", None)
    bpy.data.libraries.write(path, {thing})
    bpy.data.objects.remove(thing)
    with bpy.data.libraries.load(path, link=True) as (_, there):
        there.objects = ["Borrowed"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Borrowed"])
    bpy.data.libraries[0].filepath = "//library.blend"
