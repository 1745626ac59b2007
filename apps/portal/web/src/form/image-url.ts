/** Most that the service takes; a larger image is drawn again, in a box of this size. */
const BYTES_MAX = 65_536;
const WIDTH = 480;
const HEIGHT = 160;

/** A file as a data URL: as it is, or smaller where it is too large for a document. */
export async function imageUrl(file: File): Promise<string> {
  return dataUrl(file.size <= BYTES_MAX ? file : await smaller(file));
}

/** The file itself where the browser cannot read it: the service reports what is wrong with it. */
async function smaller(file: File): Promise<Blob> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return file;
  const scale = Math.min(1, WIDTH / image.width, HEIGHT / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? file), file.type);
  });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('The file cannot be read.')));
    reader.readAsDataURL(blob);
  });
}
