import { Button, FileInput, Group } from '@mantine/core';
import css from './image-input.module.css';

interface ImageInputProps {
  /** A data URL; empty: no image. */
  readonly value: string;
  readonly onChange: (url: string) => void;
  readonly common: Readonly<Record<string, unknown>>;
}

/** An image from a file, sent as a data URL. */
export function ImageInput({ value, onChange, common }: ImageInputProps) {
  return (
    <div>
      <FileInput
        {...common}
        accept="image/png,image/jpeg"
        placeholder={value === '' ? 'Choose a file' : 'Choose another file'}
        value={null}
        onChange={(file) => {
          if (file !== null) void imageUrl(file).then(onChange);
        }}
      />
      {value !== '' && (
        <Group gap="sm" mt={6}>
          <img src={value} alt="The chosen logo" className={css.preview} />
          <Button variant="default" size="compact-sm" onClick={() => onChange('')}>
            Remove
          </Button>
        </Group>
      )}
    </div>
  );
}

/** Most that the service takes; a larger image is drawn again, in a box of this size. */
const BYTES_MAX = 65_536;
const WIDTH = 480;
const HEIGHT = 160;

/** A file as a data URL: as it is, or smaller where it is too large for a document. */
async function imageUrl(file: File): Promise<string> {
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
