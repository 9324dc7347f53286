import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { app, BrowserWindow, Notification } from 'electron';
import type { Alert } from '../../shared/contract/alerts.ts';
import { replaceFile } from '../engine/files/replace-file.ts';
import { createFolder } from '../engine/files/sync-to-disk.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { AlertChanges } from '../engine/protocol/alert-changes.ts';
import { type NotificationText, notificationTexts } from './notification-text.ts';

/** `appId` of electron-builder.yml: Windows shows notifications only of a program that names the id of its shortcut. */
const APP_ID = 'dev.sandglass.studio';

export interface NotificationsOptions {
  /** Stores whether the user turned notifications off. */
  settingFile: string;
  openWindow(): void;
  log: Logger;
}

/**
 * Shows a system notification when an alert begins or ends in an open store while no window of the app has the focus. A
 * click opens the window. An alert that continues after a restart of the engine is not shown again.
 */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #changesOf = new Map<string, AlertChanges>();
  /** Electron emits `click` only while the object is referenced. */
  readonly #shown = new Set<Notification>();
  #isOn: boolean;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.#isOn = readSetting(options.settingFile);
    if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set(isOn: boolean): void {
    this.#isOn = isOn;
    try {
      writeSetting(this.#options.settingFile, isOn);
    } catch (error) {
      this.#options.log.warn('the notification setting could not be saved', errorFields(error));
    }
  }

  /** Takes all active alerts of the store in `file`. */
  update(file: string, active: readonly Alert[]): void {
    const alertChanges = this.#changesOf.get(file) ?? new AlertChanges();
    this.#changesOf.set(file, alertChanges);
    const changes = alertChanges.take(active);
    if (!this.#isOn || BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
    for (const text of notificationTexts(changes, basename(file))) this.#show(text);
  }

  #show(text: NotificationText): void {
    const notification = new Notification({ title: text.title, body: text.body });
    const release = () => void this.#shown.delete(notification);
    notification.on('click', () => {
      release();
      this.#options.openWindow();
    });
    notification.on('close', release);
    this.#shown.add(notification);
    notification.show();
  }
}

/** Returns true unless the file turns notifications off. */
function readSetting(file: string): boolean {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return !(typeof kept === 'object' && kept !== null && 'isOn' in kept && kept.isOn === false);
  } catch {
    return true;
  }
}

/** Replaces the file atomically. */
function writeSetting(file: string, isOn: boolean): void {
  createFolder(dirname(file));
  replaceFile(file, JSON.stringify({ isOn }));
}
