import { Button, FileInput, Group } from '@mantine/core';
import css from './image-input.module.css';
import { imageUrl } from './image-url.js';

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
