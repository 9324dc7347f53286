/** Target of an export, written piece by piece. */
export interface FileSink {
  write(text: string): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
  /** Deletes what was written. */
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

/** Size at which pieces are merged into a blob, which the browser may keep on disk. */
const BLOB_CHARACTERS = 4 * 1024 * 1024;
const RELEASED_MS = 60_000;

/**
 * Opens a file. Browsers with a file dialog for pages write it to disk piece by piece; others collect it and start a
 * download. Returns null if the person cancelled the dialog. Must be called in a click handler.
 */
export async function openFileSink(name: string, type: string): Promise<FileSink | null> {
  if (!canChoose(window) || window.sandglass !== undefined) return downloadSink(name, type);
  try {
    const chosen = await window.showSaveFilePicker({ suggestedName: name });
    return await chosen.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // The dialog is not allowed here, for example in an embedded page.
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
      // The blob is kept by the download after its URL is revoked.
      setTimeout(() => URL.revokeObjectURL(link.href), RELEASED_MS);
    },
    async abort() {
      parts.length = 0;
      texts = [];
    },
  };
}
