import { problems } from './file-problem.ts';

/** At most this many characters in a call: the engine's thread is never kept busy by one of them for long. */
export const PIECE_CHARACTERS = 256 * 1024;

export interface Piece {
  text: string;
  /** Bytes of the file read so far. */
  bytesRead: number;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** The file's text, piece by piece, as it is asked for: a file of any size needs little memory. */
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
        // A character of two halves stays whole: half of one is no text.
        if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
        yield { text: text.slice(from, to), bytesRead };
        from = to;
      }
      for (const character of text) if (character === '\n') lines += 1;
      if (done) return;
    }
  } finally {
    // Also when the reader stops halfway: the file is let go at once.
    await reader.cancel().catch(() => {});
  }
}
