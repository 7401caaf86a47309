/** Where a filtered row is read and its unfiltered form is written, in one buffer. */
export interface RowPlace {
  readonly from: number;
  readonly to: number;
  readonly rowBytes: number;
  readonly pixelBytes: number;
  /** The first row has no row above it: that counts as zeros. */
  readonly first: boolean;
}
