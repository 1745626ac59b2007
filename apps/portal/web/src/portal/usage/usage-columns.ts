import { changePercent } from '../../format/credits.js';
import { creditsInMinor, type CreditPrice } from '../../format/money.js';
import type { ComparedRow } from './usage-rows.js';
import { dimensionName } from './usage-search.js';
import type { Dimension } from '../../rest/answers.js';

/** A column of sums, in the table and in the file. */
export interface UsageColumn {
  /** In the address and in the file. */
  readonly name: string;
  readonly label: string;
  /** Absent: it holds a number. */
  readonly dimension?: Dimension;
  readonly unit: 'text' | 'number' | 'money' | 'percent';
  /** Money in minor units. */
  readonly valueOf: (row: ComparedRow) => string | number | null;
}

interface Shown {
  readonly by: readonly Dimension[];
  readonly isCompared: boolean;
  readonly price: CreditPrice | null;
}

/** Columns of what is shown, in their order. */
export function usageColumns({ by, isCompared, price }: Shown): readonly UsageColumn[] {
  const names = by.map((dimension, index): UsageColumn => ({
    name: dimension,
    label: dimensionName(dimension),
    dimension,
    unit: 'text',
    valueOf: ({ values }) => values[index] ?? '',
  }));
  return [
    ...names,
    { name: 'credits', label: 'Credits', unit: 'number', valueOf: ({ credits }) => credits },
    ...(price === null ? [] : [moneyColumn(price)]),
    ...(isCompared ? COMPARED : []),
    { name: 'calls', label: 'Calls', unit: 'number', valueOf: ({ calls }) => calls },
    { name: 'call_cost', label: 'Call cost', unit: 'number', valueOf: (row) => row.callCost },
    { name: 'data_cost', label: 'Data cost', unit: 'number', valueOf: (row) => row.dataCost },
  ];
}

function moneyColumn(price: CreditPrice): UsageColumn {
  return {
    name: `before_tax_${price.currency}`,
    label: '≈ before tax',
    unit: 'money',
    valueOf: ({ credits }) => creditsInMinor(credits, price),
  };
}

const COMPARED: readonly UsageColumn[] = [
  { name: 'before', label: 'Before', unit: 'number', valueOf: ({ before }) => before },
  {
    name: 'change',
    label: 'Change',
    unit: 'percent',
    valueOf: ({ credits, before }) => (before === null ? null : changePercent(credits, before)),
  },
];
