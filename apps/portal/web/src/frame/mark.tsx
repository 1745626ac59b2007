import css from './mark.module.css';

/** The product's sign and name. */
export function Mark() {
  return (
    <span className={css.mark}>
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#14665c" />
        <path
          d="M8 22v-5M13.3 22V12M18.7 22v-7M24 22V9"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      Popindex
    </span>
  );
}
