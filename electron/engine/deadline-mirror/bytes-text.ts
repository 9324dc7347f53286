const BASE64 = 'base64:';
const SHA256 = 'sha256:';
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns bytes as text that can be converted back: their text if they are UTF-8, otherwise `base64:…`. Text that
 * begins with `base64:` or `sha256:` is encoded too.
 */
export function textOfBytes(bytes: Buffer): string {
  const text = decoded(bytes);
  return text === null || text.startsWith(BASE64) || text.startsWith(SHA256)
    ? BASE64 + bytes.toString('base64')
    : text;
}

/** Returns the bytes of a text made by `textOfBytes`. */
export function bytesOfText(text: string): Buffer {
  return text.startsWith(BASE64) ? Buffer.from(text.slice(BASE64.length), 'base64') : Buffer.from(text);
}

function decoded(bytes: Buffer): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
