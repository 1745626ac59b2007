/** An image as a PDF holds it. */
export interface PdfImage {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Of each component. */
  readonly bits: number;
  readonly filter: 'DCTDecode' | 'FlateDecode';
  readonly colorSpace: 'DeviceGray' | 'DeviceRGB';
  /** RGB of each colour that the data count; absent: they are colours themselves. */
  readonly palette?: Buffer;
  /** Components of a pixel, where rows are filtered as in a PNG. */
  readonly predicted?: number;
  readonly data: Buffer;
}
