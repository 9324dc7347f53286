/** Where an export goes, piece by piece. */
export interface FileSink {
  write(text: string): Promise<void>;
  /** The file is whole. */
  close(): Promise<void>;
  /** It is given up; nothing of it stays. */
  abort(): Promise<void>;
}

interface WritableFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}
interface FileChooser {
  showSaveFilePicker(options: {
    suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableFile> }>;
}

/** Pieces become blobs at this size, which the browser may keep outside of memory. */
const BLOB_CHARACTERS = 4 * 1024 * 1024;
const RELEASED_MS = 60_000;

/**
 * A file of that name: written where the person says, as it comes, where the browser lets a page do that; gathered and
 * handed over as a download elsewhere. Null where the person chose none. To be called on a click.
 */
export async function openFileSink(name: string, type: string): Promise<FileSink | null> {
  if (!canChoose(window) || window.sandglass !== undefined) return downloadSink(name, type);
  try {
    const chosen = await window.showSaveFilePicker({ suggestedName: name });
    return await chosen.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // Not allowed here, say inside another page.
    return downloadSink(name, type);
  }
}

function canChoose(page: object): page is FileChooser {
  return 'showSaveFilePicker' in page;
}

function downloadSink(name: string, type: string): FileSink {
  const parts: Blob[] = [];
  let texts: string[] = [];
  let characters = 0;
  const flush = () => {
    if (texts.length > 0) parts.push(new Blob(texts));
    texts = [];
    characters = 0;
  };
  return {
    async write(text) {
      texts.push(text);
      characters += text.length;
      if (characters >= BLOB_CHARACTERS) flush();
    },
    async close() {
      flush();
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(parts, { type }));
      link.download = name;
      link.click();
      // The download holds on to what it needs.
      setTimeout(() => URL.revokeObjectURL(link.href), RELEASED_MS);
    },
    async abort() {
      parts.length = 0;
      texts = [];
    },
  };
}
