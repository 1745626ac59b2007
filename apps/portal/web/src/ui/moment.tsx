import { formatDate, formatMoment, momentHint } from '../format/moments.js';
import { useZones } from './zones.js';

interface MomentProps {
  readonly at: string;
  readonly dateOnly?: boolean;
}

/** In the zone that the reader has chosen; in the other one on hover. */
export function Moment({ at, dateOnly = false }: MomentProps) {
  const { shown, other } = useZones();
  return (
    <time dateTime={at} title={momentHint(at, other ?? shown)}>
      {dateOnly ? formatDate(at, shown) : formatMoment(at, shown)}
    </time>
  );
}
