import fc from 'fast-check';
import { channelsOf, readable } from './colors.js';

test.each([
  ['#1f4e79', '#1f4e79'],
  ['#000000', '#000000'],
  ['#3D5AFE', '#3d5afe'],
])('%s is dark enough', (color, same) => {
  expect(readable(color)).toBe(same);
});

test('any colour becomes one that contrasts with white by 4.5', () => {
  const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => {
    return `#${value.toString(16).padStart(6, '0')}`;
  });
  fc.assert(
    fc.property(hex, (color) => {
      const [red = 0, green = 0, blue = 0] = channelsOf(readable(color)).map((part) =>
        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
      );
      const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      expect(1.05 / (luminance + 0.05)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
