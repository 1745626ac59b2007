import { jpegImage } from './jpeg-image.js';
import type { PdfImage } from './pdf-image.js';
import { pngImage } from './png-image.js';

export type LogoType = 'image/png' | 'image/jpeg';

/** An image as it was given. */
export interface Logo {
  readonly type: LogoType;
  readonly bytes: Buffer;
}

/** Most bytes of an image: each document holds it. */
export const LOGO_BYTES_MAX = 65_536;
const PIXELS_MAX = 2_000;
const DATA_URL =
  /^data:(image\/png|image\/jpeg);base64,((?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?)$/;
const PNG_FIRST = 0x89;

/** The image of a data URL that a page can show, within its limits; undefined for any other. */
export function logoOf(dataUrl: string): Logo | undefined {
  const [, type, base64] = DATA_URL.exec(dataUrl) ?? [];
  if (type === undefined || base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > LOGO_BYTES_MAX || typeOf(bytes) !== type) return undefined;
  return logoImage(bytes) && { type, bytes };
}

/** The data URL of an image that was taken once. */
export function logoUrl(bytes: Buffer): string {
  return `data:${typeOf(bytes)};base64,${bytes.toString('base64')}`;
}

/** The image for a page; undefined for what it cannot show. */
export function logoImage(bytes: Buffer): PdfImage | undefined {
  const image = typeOf(bytes) === 'image/png' ? pngImage(bytes) : jpegImage(bytes);
  return image && Math.max(image.width, image.height) <= PIXELS_MAX ? image : undefined;
}

function typeOf(bytes: Buffer): LogoType {
  return bytes[0] === PNG_FIRST ? 'image/png' : 'image/jpeg';
}
