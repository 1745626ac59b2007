const CHANNEL_MAX = 255;
const WHITE = 1;
/** Of WCAG 2.2 for texts (1.4.3). */
const CONTRAST_MIN = 4.5;
const DARKER = 0.94;

/** `#3d5afe` as three parts of 1. */
export function channelsOf(color: string): readonly number[] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff].map((channel) => channel / CHANNEL_MAX);
}

/** A colour, or the next darker shade of it that can be read on white paper. */
export function readable(color: string): string {
  let channels = channelsOf(color);
  while (contrast(channels) < CONTRAST_MIN) channels = channels.map((part) => part * DARKER);
  const digits = channels.map((part) =>
    Math.floor(part * CHANNEL_MAX)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}

/** Against white (WCAG 2.2, contrast ratio). */
function contrast(channels: readonly number[]): number {
  return (WHITE + 0.05) / (luminance(channels) + 0.05);
}

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
