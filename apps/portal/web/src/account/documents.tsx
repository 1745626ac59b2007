import type { Read } from '#client/operations.js';
import { DownloadButton } from '../ui/download-button.js';
import css from './invoices.module.css';

const TYPES = {
  pdf: { accept: 'application/pdf', label: 'PDF' },
  xml: { accept: 'application/xml', label: 'XML' },
  'cii.xml': { accept: 'application/xml', label: 'CII' },
  csv: { accept: 'text/csv', label: 'CSV' },
  json: { accept: 'application/json', label: 'JSON' },
} as const;

interface DocumentsProps {
  /** The document with this name: its number, a point, and the format. */
  readonly of: (given: { readonly number: string }) => Read<unknown>;
  readonly number: string;
  readonly formats: readonly (keyof typeof TYPES)[];
}

/** The bytes of a document, form by form. */
export function Documents({ of, number, formats }: DocumentsProps) {
  return (
    <span className={css.documents}>
      {formats.map((format) => (
        <DownloadButton
          key={format}
          of={of({ number: `${number}.${format}` })}
          file={`${number}.${format}`}
          label={TYPES[format].label}
          accept={TYPES[format].accept}
          size="compact-sm"
        />
      ))}
    </span>
  );
}
