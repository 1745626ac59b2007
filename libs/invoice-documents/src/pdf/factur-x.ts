import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { InvoiceFormat } from '#invoice-rules/invoice.js';
import { addDeflated, addObject, rootOf } from './add-object.js';

/** Name by which readers of Factur-X look for the XML, and what it follows. */
interface Attached {
  readonly file: string;
  readonly version: string;
  readonly level: string;
}

const CORE: Attached = { file: 'factur-x.xml', version: '1.0', level: 'EN 16931' };
const XRECHNUNG: Attached = { file: 'xrechnung.xml', version: '3.0', level: 'XRECHNUNG' };
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const PROPERTIES = [
  ['DocumentFileName', 'The name of the embedded XML document'],
  ['DocumentType', 'The type of the hybrid document in capital letters'],
  ['Version', 'The actual version of the standard applying to the embedded XML document'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document'],
] as const;

/** Puts the CII into the PDF as its alternative, and says so as Factur-X 1.0 asks. */
export function attachXml(
  document: PDFKit.PDFDocument,
  xml: Uint8Array,
  { madeAt, format }: { readonly madeAt: Date; readonly format: InvoiceFormat | undefined },
): void {
  const attached = format === 'xrechnung-3.0' ? XRECHNUNG : CORE;
  attach(document, xml, attached.file, madeAt);
  document.appendXML(factsOf(attached));
  document.appendXML(EXTENSION_SCHEMA);
}

/** As pdfkit does, whose digest of a file takes as long as half a page. */
function attach(document: PDFKit.PDFDocument, xml: Uint8Array, name: string, madeAt: Date): void {
  const checksum = createHash('md5').update(xml).digest();
  const file = addDeflated(document, deflateSync(xml), {
    Type: 'EmbeddedFile',
    Subtype: 'text#2Fxml',
    Params: { CreationDate: madeAt, ModDate: madeAt, CheckSum: checksum, Size: xml.length },
  });
  const specification = addObject(document, {
    Type: 'Filespec',
    AFRelationship: 'Alternative',
    F: new String(name),
    EF: { F: file },
    UF: new String(name),
    Desc: new String('The same document as XML (Cross Industry Invoice, EN 16931)'),
  });
  rootOf(document).AF = [specification];
  const names = document as unknown as { addNamedEmbeddedFile(name: string, of: unknown): void };
  names.addNamedEmbeddedFile(name, specification);
}

function factsOf({ file, version, level }: Attached): string {
  return `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>${file}</fx:DocumentFileName>
<fx:Version>${version}</fx:Version>
<fx:ConformanceLevel>${level}</fx:ConformanceLevel>
</rdf:Description>`;
}

const PROPERTY_LIST = PROPERTIES.map(
  ([name, description]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
).join('\n');

/** PDF/A knows no metadata that is not described in the file. */
const EXTENSION_SCHEMA = `<rdf:Description rdf:about=""
 xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${PROPERTY_LIST}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;
