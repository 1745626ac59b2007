import { formatDate, formatMoment, momentHint } from '../format/moments.js';
import { useBillingZone } from './billing-zone.js';

interface MomentProps {
  readonly at: string;
  readonly dateOnly?: boolean;
}

/** In the viewer's zone; in the billing zone on hover. */
export function Moment({ at, dateOnly = false }: MomentProps) {
  const zone = useBillingZone();
  return (
    <time dateTime={at} title={momentHint(at, zone)}>
      {dateOnly ? formatDate(at) : formatMoment(at)}
    </time>
  );
}
