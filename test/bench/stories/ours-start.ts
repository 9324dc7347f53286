import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findChromium } from '../../support/chromium.mjs';
import type { Figures } from '../figures.ts';
import type { Story } from '../story.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `npm start` after install and build: time to the address, then to a usable window. */
export const oursStart: Story = async (_options, folder): Promise<Figures> => {
  const began = performance.now();
  const child = spawn(
    'npm',
    ['start', '--', '--no-open', '--port', '0', '--store', join(folder, 'test.sandglass')],
    {
      cwd: ROOT,
      env: { ...process.env, SANDGLASS_HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    },
  );
  const ended = once(child, 'exit');
  try {
    const link = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /^Sandglass is at (http\S+)$/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on('exit', code => reject(new Error(`npm start ended with code ${code}: ${output}`)));
    });
    const readyMs = performance.now() - began;
    const windowMs = await openWindow(link);
    return { readyMs, windowMs, ...bundleSizes() };
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
};

/** Time from the address to a page whose first button reacts. */
async function openWindow(link: string): Promise<number> {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const began = performance.now();
    await page.goto(link);
    await page
      .getByRole('button', { name: /sample data/i })
      .first()
      .click({ trial: true });
    return performance.now() - began;
  } finally {
    await browser.close();
  }
}

/** Gzipped bytes of the files that the page names, and of all files. */
function bundleSizes(): { bundleBytes: number; allBytes: number } {
  const folder = join(ROOT, 'dist/renderer');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const gzipped = (file: string) => gzipSync(readFileSync(join(folder, file))).length;
  const first = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    /\.(js|css)$/.test(file),
  );
  const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + gzipped(file), 0);
  return { bundleBytes: sum(first), allBytes: sum(scripts) };
}
