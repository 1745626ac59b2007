import { Link } from '@tanstack/react-router';
import { changePercent, formatChange, formatNumber } from '../../format/credits.js';
import { formatDate } from '../../format/moments.js';
import { Notice } from '../../ui/notice.js';
import { useBillingZone } from '../../ui/zones.js';
import type { Prices } from '../../rest/answers.js';

/** “From 24 November your weekly URLs cost 66,982 instead of 60,825 (+10.1 %)”. */
export function PriceNotice({ prices: { in_force: now, next } }: { readonly prices: Prices }) {
  const zone = useBillingZone();
  if (next === null || next.effective_from === null) return null;
  const [before, after] = [now.weekly_credits, next.weekly_credits];
  const from = `From ${formatDate(next.effective_from, zone)}`;
  if (before === 0) return <Notice title={`${from} other prices count`} />;
  const change = formatChange(changePercent(after, before));
  return (
    <Notice
      tone={after > before ? 'warn' : 'info'}
      title={`${from} your weekly URLs cost ${formatNumber(after)} instead of ${formatNumber(before)} (${change})`}
    >
      The first calls of a week as you made them last, by both cards.{' '}
      <Link to="/weeks">These are your URLs</Link>
    </Notice>
  );
}
