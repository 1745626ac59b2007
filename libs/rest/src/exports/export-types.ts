import { CSV } from '#web/table-answer.js';
import type { ExportFormat } from './export.schemas.js';

interface ExportType {
  readonly mediaType: string;
  /** As it is sent. */
  readonly type: string;
  /** Of the file of a month. */
  readonly name: (month: string) => string;
}

const TABLE = { mediaType: 'text/csv', type: CSV };

/** How each format is sent. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, ExportType>> = {
  csv: { ...TABLE, name: (month) => `invoices-${month}.csv` },
  jsonl: {
    mediaType: 'application/jsonl',
    type: 'application/jsonl; charset=utf-8',
    name: (month) => `invoices-${month}.jsonl`,
  },
  zip: {
    mediaType: 'application/zip',
    type: 'application/zip',
    name: (month) => `invoices-${month}.zip`,
  },
  journal: { ...TABLE, name: (month) => `journal-${month}.csv` },
  datev: {
    mediaType: 'text/csv',
    type: 'text/csv; charset=windows-1252',
    name: (month) => `EXTF_Buchungsstapel_${month}.csv`,
  },
};
