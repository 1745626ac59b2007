import type { PdfImage } from './pdf-image.js';

/** An image as an object of a document, for the resources of its pages. */
export function embedded(document: PDFKit.PDFDocument, image: PdfImage): PDFKit.PDFKitReference {
  const { width, height, bits, filter, colorSpace, palette, predicted, data } = image;
  const facts = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    BitsPerComponent: bits,
    Filter: filter,
    ColorSpace: palette === undefined ? colorSpace : indexed(document, palette),
    ...(predicted !== undefined && {
      DecodeParms: { Predictor: 15, Colors: predicted, BitsPerComponent: bits, Columns: width },
    }),
  };
  const object = document.ref(facts);
  object.end(data);
  return object;
}

function indexed(document: PDFKit.PDFDocument, palette: Buffer): unknown[] {
  const colors = document.ref({});
  colors.end(palette);
  return ['Indexed', 'DeviceRGB', palette.length / 3 - 1, colors];
}
