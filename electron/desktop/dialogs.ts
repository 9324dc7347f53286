import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BrowserWindow, dialog, ipcMain, MessageChannelMain } from 'electron';
import {
  type FileMessage,
  isPortId,
  PORT_CHANNELS,
  type PortMessage,
} from '../../shared/model/transport/desktop-ports.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { trustedFrame } from './origin.ts';

const OPEN_FILE: Electron.OpenDialogOptions = {
  title: 'Open a file',
  properties: ['openFile'],
  filters: [
    { name: 'Documents', extensions: ['ndjson', 'jsonl', 'json'] },
    { name: 'All files', extensions: ['*'] },
  ],
};

/** Answers the page's requests for a file: shows the open dialog, and sends the address of the chosen file. */
export function handleFileRequests(files: ChosenFiles, log: Logger): Disposable {
  const onRequest = (event: Electron.IpcMainEvent, id: unknown) => {
    const frame = trustedFrame(event);
    const window = BrowserWindow.fromWebContents(event.sender);
    if (frame === undefined || window === null || !isPortId(id)) {
      log.warn('refused a request for a file from an untrusted frame', { from: event.senderFrame?.url });
      return;
    }
    const { port1: ours, port2: theirs } = new MessageChannelMain();
    const answer: PortMessage = { sandglassPort: id };
    frame.postMessage(PORT_CHANNELS.file, answer, [theirs]);
    void choose(window, files, log).then(message => {
      ours.postMessage(message);
      ours.close();
    });
  };
  ipcMain.on(PORT_CHANNELS.file, onRequest);
  return { [Symbol.dispose]: () => void ipcMain.off(PORT_CHANNELS.file, onRequest) };
}

async function choose(window: BrowserWindow, files: ChosenFiles, log: Logger): Promise<FileMessage> {
  try {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, OPEN_FILE);
    const path = filePaths[0];
    if (canceled || path === undefined) return { is: 'none' };
    const { mtimeMs } = await stat(path);
    return { is: 'chosen', name: basename(path), changedAt: mtimeMs, address: files.add(path) };
  } catch (error) {
    log.warn('a file could not be opened', errorFields(error));
    return { is: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
