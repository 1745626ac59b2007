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
  /** The REST that holds them. */
  readonly rest: string;
  readonly folder?: 'invoices' | 'credit-notes' | 'statements';
  /** A number, or of statements the month. */
  readonly number: string;
  readonly formats: readonly (keyof typeof TYPES)[];
}

/** The bytes of a document, form by form. */
export function Documents({ rest, folder = 'invoices', number, formats }: DocumentsProps) {
  return (
    <span className={css.documents}>
      {formats.map((format) => (
        <DownloadButton
          key={format}
          path={`${rest}/${folder}/${number}.${format}`}
          file={`${number}.${format}`}
          label={TYPES[format].label}
          accept={TYPES[format].accept}
          size="compact-sm"
        />
      ))}
    </span>
  );
}
