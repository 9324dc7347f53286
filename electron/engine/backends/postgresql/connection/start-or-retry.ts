import { isUnreachable } from './postgres-failure.ts';

/** A backend whose `start` is tried again by the backend itself, until it is closed. */
interface Startable {
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a backend and returns it: a server that cannot be reached is no failure. Closes it and rejects for any other one. */
export async function startOrRetry<Backend extends Startable>(backend: Backend): Promise<Backend> {
  try {
    await backend.start();
  } catch (error) {
    if (!isUnreachable(error)) {
      await backend.close();
      throw error;
    }
  }
  return backend;
}
