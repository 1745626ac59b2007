import { DownloadButton } from '../../ui/download-button.js';
import css from '../console.module.css';
import { ADMIN } from '../rest/admin-queries.js';

const TYPES = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  csv: 'text/csv',
  json: 'application/json',
} as const;

interface DocumentLinksProps {
  readonly folder: 'invoices' | 'credit-notes';
  readonly number: string;
  readonly formats: readonly (keyof typeof TYPES)[];
}

/** The stored bytes of a document, form by form. */
export function DocumentLinks({ folder, number, formats }: DocumentLinksProps) {
  return (
    <span className={css.pills}>
      {formats.map((format) => (
        <DownloadButton
          key={format}
          path={`${ADMIN}/${folder}/${number}.${format}`}
          file={`${number}.${format}`}
          label={format.toUpperCase()}
          accept={TYPES[format]}
          size="compact-sm"
        />
      ))}
    </span>
  );
}
