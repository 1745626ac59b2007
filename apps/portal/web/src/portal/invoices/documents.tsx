import { PORTAL } from '../../rest/queries.js';
import { DownloadButton } from '../../ui/download-button.js';
import css from '../../ui/form.module.css';

const FORMATS = [
  { ending: 'pdf', label: 'PDF', accept: 'application/pdf' },
  { ending: 'csv', label: 'CSV', accept: 'text/csv' },
  { ending: 'xml', label: 'XML', accept: 'application/xml' },
  { ending: 'json', label: 'JSON', accept: 'application/json' },
] as const;

/** The stored bytes of an invoice, in every form. */
export function Documents({ number }: { readonly number: string }) {
  return (
    <div className={css.toolbar}>
      {FORMATS.map(({ ending, label, accept }) => (
        <DownloadButton
          key={ending}
          path={`${PORTAL}/invoices/${number}.${ending}`}
          file={`${number}.${ending}`}
          label={label}
          accept={accept}
        />
      ))}
    </div>
  );
}

interface PdfButtonProps {
  readonly number: string;
  readonly folder?: 'invoices' | 'credit-notes';
}

export function PdfButton({ number, folder = 'invoices' }: PdfButtonProps) {
  const path = `${PORTAL}/${folder}/${number}.pdf`;
  return <DownloadButton path={path} file={`${number}.pdf`} label="PDF" accept="application/pdf" />;
}
