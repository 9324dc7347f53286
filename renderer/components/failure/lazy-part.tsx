import { t } from '@lingui/core/macro';
import { type ComponentType, lazy, useState } from 'react';

/**
 * The chunk of a part could not be loaded: after an upgrade the server no longer has the chunks of a window that is
 * still open.
 */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';

  constructor(cause: unknown) {
    super(t`Its code did not load. Retry, or reload the window if Sandglass was upgraded meanwhile.`, {
      cause,
    });
  }
}

const retries = new Set<() => void>();

/** Parts that failed to load are fetched again when they are rendered next. */
export function retryParts(): void {
  for (const retry of retries) retry();
  retries.clear();
}

/**
 * The component `name` of a module that is a chunk of its own. `fetch` loads it before it is needed. Rendered, it suspends
 * until it is loaded, and throws `PartNotLoaded` if that fails.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) {
  const importModule = importAgain(load);
  let fetched: ComponentType<Props> | null = null;
  const fetch = async () => {
    fetched = (await importModule())[name];
    return { default: fetched };
  };
  const awaitedPart = () =>
    lazy(() =>
      fetch().catch(error => {
        // `lazy` caches a failure, so a retry needs a new lazy component.
        retries.add(() => {
          Awaited = awaitedPart();
        });
        throw new PartNotLoaded(error);
      }),
    );
  let Awaited = awaitedPart();
  function Part(props: Props) {
    // A part first rendered lazily stays lazy, because replacing its component would lose its state.
    const [Shown] = useState<ComponentType<Props>>(() => fetched ?? Awaited);
    return <Shown {...props} />;
  }
  return { Part, fetch };
}

/** The address of a chunk, in the browser's message. */
const CHUNK = /\S+:\/\/\S+\.js\b/;

/** Browsers cache a failed import by its URL: each retry uses a new URL. */
function importAgain<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let failures = 0;
  let address: string | undefined;
  return async () => {
    try {
      return await (address === undefined ? load() : import(/* @vite-ignore */ `${address}?try=${failures}`));
    } catch (error) {
      failures += 1;
      address ??= error instanceof Error ? CHUNK.exec(error.message)?.[0] : undefined;
      throw error;
    }
  };
}
