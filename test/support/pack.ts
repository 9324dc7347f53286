import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listPackage } from '@electron/asar';
import electronPackage from 'electron/package.json' with { type: 'json' };
import { type Arch, build, Platform } from 'electron-builder';

const root = join(import.meta.dirname, '../..');

/** The marker of the fuses in Electron's binary, their version and number, and eight fuses that are on. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('11111111'),
]);

/** Creates the parts of Electron that packing reads: a program with fuses. */
async function makeElectron(folder: string, program: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await writeFile(join(folder, program), FUSES);
  await chmod(join(folder, program), 0o755);
}

export interface Packed {
  /** The files of the archive, and of the folder beside it that is not archived. */
  readonly archived: readonly string[];
  readonly unpacked: readonly string[];
  readonly folder: string;
}

/** Packs the build by electron-builder.yml for one target, with a dummy of Electron and without network. */
export async function pack(platform: Platform, arch: Arch, into: string): Promise<Packed> {
  const electronDist = join(into, 'electron');
  const windows = platform === Platform.WINDOWS;
  await makeElectron(electronDist, windows ? 'electron.exe' : 'electron');
  const output = join(into, 'out');
  await build({
    projectDir: root,
    targets: platform.createTarget('dir', arch),
    // Overrides electron-builder.yml, which is found in the project's folder.
    config: {
      electronDist,
      electronVersion: electronPackage.version,
      directories: { output },
      // The dummy is no Windows program: it has no icon to replace and no place for the archive's checksum.
      win: { signAndEditExecutable: false },
      disableAsarIntegrity: windows,
    },
  });
  const [made] = (await readdir(output)).filter(name => name.endsWith('-unpacked'));
  const folder = join(output, made ?? '');
  const resources = join(folder, 'resources');
  return {
    folder,
    archived: onlyFiles(listPackage(join(resources, 'app.asar'), { isPack: false })),
    unpacked: onlyFiles(await readdir(join(resources, 'app.asar.unpacked'), { recursive: true })),
  };
}

/** Returns the files without folders, with slashes, sorted. */
function onlyFiles(paths: readonly string[]): string[] {
  const all = paths.map(path => path.replaceAll('\\', '/').replace(/^\//, ''));
  return all.filter(path => !all.some(other => other.startsWith(`${path}/`))).sort();
}
