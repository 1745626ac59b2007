// Reads a PDF from its input with a reader of its own, as plain JSON: jest cannot load an ES module
// that another one imports dynamically, so this is a process.
import { getDocument } from 'unpdf/pdfjs';

/** Pieces of text in the order of the page, a line break where the reader sees one. */
function textOf({ items }) {
  return items.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join('');
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const data = new Uint8Array(Buffer.concat(chunks));
const pdf = await getDocument({ data, useSystemFonts: false, verbosity: 0 }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number += 1) {
  const page = await pdf.getPage(number);
  pages.push(textOf(await page.getTextContent()));
}
const attachments = Object.values((await pdf.getAttachments()) ?? {});
const { info, metadata } = await pdf.getMetadata();
const facts = {
  pages,
  title: info.Title,
  metadata: metadata?.getRaw() ?? null,
  attachments: attachments.map(({ filename, content }) => ({
    name: filename,
    base64: Buffer.from(content).toString('base64'),
  })),
};
process.stdout.write(JSON.stringify(facts));
