import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordingServer {
  readonly port: number;
  /** All bytes that clients have sent. */
  received(): string;
  readonly connections: number;
}

/** Accepts connections for the running test, and answers each message with `answer`. */
export async function startRecordingServer(answer: (message: string) => string): Promise<RecordingServer> {
  let received = '';
  let connections = 0;
  const server = createServer(client => {
    connections += 1;
    client.on('error', () => client.destroy());
    client.on('data', data => {
      received += data.toString('latin1');
      client.write(answer(data.toString('latin1')));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    received: () => received,
    get connections() {
      return connections;
    },
  };
}
