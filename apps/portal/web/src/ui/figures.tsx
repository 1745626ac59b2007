import type { ReactNode } from 'react';
import css from './figures.module.css';

interface FiguresProps {
  /** Whether the first one matters most. */
  readonly hasHero?: boolean;
  readonly children: ReactNode;
}

/** The numbers that one comes for, side by side. */
export function Figures({ hasHero = false, children }: FiguresProps) {
  return (
    <dl className={css.figures} data-hero={hasHero || undefined}>
      {children}
    </dl>
  );
}

interface FigureProps {
  readonly name: ReactNode;
  readonly note: ReactNode;
  readonly children: ReactNode;
}

export function Figure({ name, note, children }: FigureProps) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.value}>{children}</dd>
      <dd className={css.note}>{note}</dd>
    </div>
  );
}
