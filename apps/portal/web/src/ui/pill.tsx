import type { ReactNode } from 'react';
import css from './pill.module.css';

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'info';

/** One word about a state. The tone repeats what the word says. */
export function Pill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.pill} data-tone={tone}>
      {children}
    </span>
  );
}

/** `base` or `repeat`, everywhere with the same mark. */
export function KindPill({ kind }: { readonly kind: 'base' | 'repeat' | 'each' }) {
  return <Pill tone={kind === 'repeat' ? 'plain' : 'accent'}>{kind}</Pill>;
}
