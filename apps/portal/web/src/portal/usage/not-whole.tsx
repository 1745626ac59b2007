import { Notice } from '../../ui/notice.js';

/** Said where a list was too long to be read whole. */
export function NotWhole() {
  return (
    <Notice tone="warn" title="Not all of it is shown">
      There are more than 20,000 sums: choose a shorter range, or group by less.
    </Notice>
  );
}
