import { SegmentedControl } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { labelOf, LIMITS } from '#rating/resource.js';
import { viewQuery } from '../../rest/data-queries.js';
import { Loading } from '../../ui/loaded.js';
import { Panel } from '../../ui/page.js';
import { PaidData } from '../data/paid-data.js';

interface LimitedPanelProps {
  readonly title: ReactNode;
  readonly pathOf: (limit: string) => string;
}

/** A listing at the limit that one chooses; at first the longest that is paid for. */
export function LimitedPanel({ title, pathOf }: LimitedPanelProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const looks = useQueries({ queries: LIMITS.map((limit) => viewQuery(pathOf(limit))) });
  const isKnown = looks.every(({ isPending }) => !isPending);
  const paid = LIMITS.filter((_, index) => looks[index]?.data?.paid === true);
  const limit = chosen ?? paid.at(-1) ?? LIMITS[0];
  const control = (
    <SegmentedControl
      size="xs"
      aria-label="Rows"
      data={LIMITS.map((value) => ({
        value,
        label: labelOf('limit', value) + (paid.includes(value) ? ' ✓' : ''),
      }))}
      value={limit}
      onChange={setChosen}
    />
  );
  return (
    <Panel flush title={title} aside={control}>
      {isKnown || chosen !== null ? <PaidData key={limit} path={pathOf(limit)} /> : <Loading />}
    </Panel>
  );
}
