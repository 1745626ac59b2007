import type { ReactNode } from 'react';
import { formatNumber } from '../format/credits.js';
import { formatMoney } from '../format/money.js';
import type { Column } from './data-table.js';
import { Moment } from './moment.js';
import { Pill, type Tone } from './pill.js';

// Columns by what their cells hold: each sorts by the value that it shows. `none` stands where
// there is no value.

type Value<Row, Of> = (row: Row) => Of | null | undefined;

export function text<Row>(
  label: string,
  sort: Value<Row, string | number>,
  none = '',
): Column<Row> {
  return { label, sort, cell: (row) => sort(row) ?? none };
}

/** A text that takes what is left and is broken. */
export function main<Row>(label: string, sort: Value<Row, string>, none = ''): Column<Row> {
  return { ...text(label, sort, none), kind: 'main' };
}

export function number<Row>(label: string, sort: Value<Row, number>, none = '–'): Column<Row> {
  return { label, sort, kind: 'number', cell: cellOf(sort, none, formatNumber) };
}

export function money<Row>(
  label: string,
  sort: Value<Row, number>,
  currencyOf: (row: Row) => string,
): Column<Row> {
  const cell = cellOf(sort, '–', (minor, row) => formatMoney(minor, currencyOf(row)));
  return { label, sort, kind: 'number', cell };
}

export function moment<Row>(label: string, sort: Value<Row, string>, none = '–'): Column<Row> {
  return { label, sort, cell: cellOf(sort, none, (at) => <Moment at={at} />) };
}

/** The day of a moment. */
export function day<Row>(label: string, sort: Value<Row, string>, none = '–'): Column<Row> {
  return { label, sort, cell: cellOf(sort, none, (at) => <Moment at={at} dateOnly />) };
}

/** Shows the value of a row; `none` where it has none. */
function cellOf<Row, Of>(
  valueOf: Value<Row, Of>,
  none: string,
  show: (value: Of, row: Row) => ReactNode,
): (row: Row) => ReactNode {
  return (row) => {
    const value = valueOf(row) ?? null;
    return value === null ? none : show(value, row);
  };
}

/** A word about a state. */
export function pill<Row, Word extends string>(
  label: string,
  sort: (row: Row) => Word,
  tones: Readonly<Record<Word, Tone>>,
): Column<Row> {
  return { label, sort, cell: (row) => <Pill tone={tones[sort(row)]}>{sort(row)}</Pill> };
}

/** Buttons of a row, whose head is only read out. */
export function actions<Row>(cell: (row: Row) => ReactNode, label = 'Actions'): Column<Row> {
  return { label, cell, isUnnamed: true };
}
