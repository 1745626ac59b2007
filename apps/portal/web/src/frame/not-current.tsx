import { useEffect, useState } from 'react';
import { formatDistance, formatExact } from '../format/moments.js';
import { Notice } from '../ui/notice.js';
import { useZones } from '../ui/zones.js';
import css from './frame.module.css';

const SECOND_MS = 1_000;
/** A short break is no news. */
const SHORT_MS = 4_000;

interface NotCurrentProps {
  /** The moment (ms since 1970) up to which figures were current; null: they are. */
  readonly asOf: number | null;
}

/** The age of the figures on a page while the service is away. */
export function NotCurrent({ asOf }: NotCurrentProps) {
  const { shown } = useZones();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (asOf === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [asOf]);
  if (asOf === null || now - asOf < SHORT_MS) return null;
  const at = new Date(asOf).toISOString();
  return (
    <div className={css.notCurrent}>
      <Notice tone="warn" title="The service cannot be reached">
        Figures are as of <time dateTime={at}>{formatExact(at, shown)}</time>,{' '}
        {formatDistance(at, now)}.
      </Notice>
    </div>
  );
}

/** When a state began, in ms since 1970; null while it does not hold. */
export function useSince(holds: boolean): number | null {
  const [since, setSince] = useState<number | null>(null);
  if (holds !== (since !== null)) setSince(holds ? Date.now() : null);
  return since;
}
