import { problems } from './file-problem.ts';

/**
 * Most characters per call: one call must not occupy the engine's thread for long.
 * @internal
 */
export const PIECE_CHARACTERS = 256 * 1024;

export interface Piece {
  text: string;
  /** Bytes of the file read so far. */
  bytesRead: number;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** Yields the text of a file piece by piece, in bounded memory. */
export async function* pieces(file: Blob): AsyncGenerator<Piece> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  let bytesRead = 0;
  let lines = 1;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      bytesRead += value?.byteLength ?? 0;
      let text: string;
      try {
        text = decoder.decode(value, { stream: !done });
      } catch {
        throw problems.notUtf8(lines);
      }
      for (let from = 0; from < text.length; ) {
        let to = Math.min(text.length, from + PIECE_CHARACTERS);
        // Keeps surrogate pairs together.
        if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
        yield { text: text.slice(from, to), bytesRead };
        from = to;
      }
      for (const character of text) if (character === '\n') lines += 1;
      if (done) return;
    }
  } finally {
    // The file is released also if the caller stops early.
    await reader.cancel().catch(() => {});
  }
}
