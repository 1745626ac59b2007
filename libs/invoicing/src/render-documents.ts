import type { RenderedDocuments, RenderInput } from '#invoice-documents/render-documents.js';

/** Makes the bytes that are issued, in the order asked. The same input has the same bytes. */
export type RenderDocuments = (
  inputs: readonly RenderInput[],
) => Promise<readonly RenderedDocuments[]>;
