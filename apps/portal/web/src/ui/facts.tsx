import type { ReactNode } from 'react';
import css from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Facts by their names, side by side. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl className={css.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
