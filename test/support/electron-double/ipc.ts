import { EventEmitter } from 'node:events';
import { strict } from './strict.ts';

export const ipcMain = strict('ipcMain', new EventEmitter());
