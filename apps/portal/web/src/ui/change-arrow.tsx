import { formatChange } from '../format/credits.js';
import { Icon } from './icon.js';
import css from './change-arrow.module.css';

/** A change in percent with the arrow of its direction. Null: nothing to compare with. */
export function ChangeArrow({ percent }: { readonly percent: number | null }) {
  const text = formatChange(percent);
  const direction = percent === null || text === '0 %' ? 'none' : percent > 0 ? 'up' : 'down';
  return (
    <span className={css.change} data-direction={direction}>
      {direction !== 'none' && <Icon name={direction === 'up' ? 'up' : 'fall'} size={12} />}
      {text}
    </span>
  );
}
