import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, deflateSync } from 'node:zlib';
import { addDeflated, addObject, rootOf } from './add-object.js';

const require = createRequire(import.meta.url);
const CHANNELS = 3;
const SRGB = 'sRGB IEC61966-2.1';

const IDENTIFICATION = `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description>`;

let profile: Buffer | undefined;

/** The colours of all documents, deflated once. */
function colorProfile(): Buffer {
  return (profile ??= deflateSync(readProfile(), { level: constants.Z_BEST_COMPRESSION }));
}

/** pdfkit exports code only; the file lies beside it. */
function readProfile(): Buffer {
  const folder = path.dirname(require.resolve('pdfkit'));
  return readFileSync(path.join(folder, 'data/sRGB_IEC61966_2_1.icc'));
}

/** Says that a document is PDF/A-3b, with what its colours are. As pdfkit does, but faster. */
export function markArchival(document: PDFKit.PDFDocument): void {
  document.appendXML(IDENTIFICATION);
  const colors = addDeflated(document, colorProfile(), { N: CHANNELS });
  const intent = addObject(document, {
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    // pdfkit writes such texts as strings, and others as names.
    Info: new String(SRGB),
    OutputConditionIdentifier: new String(SRGB),
    DestOutputProfile: colors,
  });
  rootOf(document).OutputIntents = [intent];
}
