/** Adds an object to a document, a stream where it has bytes. */
export function addObject(
  document: PDFKit.PDFDocument,
  data: Readonly<Record<string, unknown>>,
  bytes?: Buffer,
): PDFKit.PDFKitReference {
  const object = document.ref({ ...data });
  object.end(bytes);
  return object;
}

/** Adds a stream of bytes that are deflated. */
export function addDeflated(
  document: PDFKit.PDFDocument,
  bytes: Buffer,
  data: Readonly<Record<string, unknown>> = {},
): PDFKit.PDFKitReference {
  return addObject(document, { ...data, Filter: 'FlateDecode' }, bytes);
}

/** The catalogue of a document. */
export function rootOf(document: PDFKit.PDFDocument): Record<string, unknown> {
  return (document as unknown as { readonly _root: { data: Record<string, unknown> } })._root.data;
}
