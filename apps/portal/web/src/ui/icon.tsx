/** Drawn on a grid of 24, as strokes of the text's colour. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 7h6V4h-6z',
  windows: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M9 14h.01M12 14h.01M15 14h.01M9 17h.01M12 17h.01',
  usage: 'M4 20h16M7 20v-7M12 20V6M17 20v-10',
  calls: 'M4 6h16M4 12h16M4 18h10',
  budgets: 'M12 3a9 9 0 1 0 9 9h-9zM16 3.9A9 9 0 0 1 20.1 8H16z',
  keys: 'M14 10a4 4 0 1 0-4 4l1.5-.5L13 15v2h2v2h3v-3l-4.3-4.3zM9 9h.01',
  people:
    'M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 20c0-4 3-6 6-6s6 2 6 6M16 6a2.5 2.5 0 1 1 0 5M17 14c3 .5 4 3 4 6',
  invoices: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
  quote: 'M9 7h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h3M6 3h12v18H6z',
  explorer: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM21 21l-5-5',
  webhooks: 'M8 13a4 4 0 1 0 3 4h7M10 8a4 4 0 1 1 6 3l-3-5M16 21a4 4 0 1 0 0-8l-4-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M5 12.5l4.5 4.5L19 7',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M10 11v6M14 11v6M7 7l1 13h8l1-13M9 7V4h6v3',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8h.01',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  up: 'M12 19V5M6 11l6-6 6 6',
  fall: 'M12 5v14M6 13l6 6 6-6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
