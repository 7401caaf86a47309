/*
 * libpng's opinion of PNG files, decoded whole with its defaults but for memory, and no transformation.
 * Usage: libpng_rows IN OUT [IN OUT ...]. One line a file on stdout: "ok", "warning TEXT" or "error TEXT".
 * OUT gets what png-rows-v1 is a digest of: "<width> <height> <depth> <colour type>\n" and the rows.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static char text[200];

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  if (text[0] == 0) snprintf(text, sizeof text, "warning %s", message);
}

static void on_error(png_structp png, png_const_charp message) {
  snprintf(text, sizeof text, "error %s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void decode(FILE *in, FILE *out) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  png_infop info = png_create_info_struct(png);
  png_bytep *volatile rows = NULL;
  if (setjmp(png_jmpbuf(png)) == 0) {
    png_init_io(png, in);
    png_read_info(png, info);
    png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    /* more than any file here needs that is sound */
    if (png_get_rowbytes(png, info) > 1u << 16 || height > 1u << 12) png_error(png, "larger than the test allows");
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t stride = png_get_rowbytes(png, info);
    rows = calloc(height, sizeof *rows);
    for (png_uint_32 y = 0; y < height; y++) rows[y] = png_malloc(png, stride);
    png_read_image(png, rows);
    png_read_end(png, NULL);
    fprintf(out, "%u %u %d %d\n", width, height, png_get_bit_depth(png, info), png_get_color_type(png, info));
    for (png_uint_32 y = 0; y < height; y++) fwrite(rows[y], 1, stride, out);
  }
  if (rows != NULL)
    for (png_uint_32 y = 0; y < png_get_image_height(png, info); y++) png_free(png, rows[y]);
  free(rows);
  png_destroy_read_struct(&png, &info, NULL);
}

int main(int argc, char **argv) {
  /* libpng takes and clears 2 GB for a text chunk that says so */
  struct rlimit memory = {1u << 29, 1u << 29};
  if (setrlimit(RLIMIT_AS, &memory) != 0) return 2;
  for (int i = 1; i + 1 < argc; i += 2) {
    FILE *in = fopen(argv[i], "rb"), *out = fopen(argv[i + 1], "wb");
    if (in == NULL || out == NULL) return 2;
    text[0] = 0;
    decode(in, out);
    fclose(in);
    if (fclose(out) != 0) return 2;
    puts(text[0] == 0 ? "ok" : text);
  }
  return 0;
}
