/** Members of a trend item from `popularity` on, in the order of specification 2.3. */
export const FIGURES = [
  'popularity',
  'yoy_percent_increase',
  'yoy_absolute_increase',
  'qoq_percent_increase',
  'qoq_absolute_increase',
  'mom_percent_increase',
  'mom_absolute_increase',
  'google_share_percent',
  'tiktok_share_percent',
  'instagram_share_percent',
] as const;
