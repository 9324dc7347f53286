export interface ServerSentEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** Yields the events of a response as a browser's EventSource reads them, without comments. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) throw new Error('the answer has no body');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines
          .find(line => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const data = field('data');
      if (data !== undefined) {
        yield { event: field('event') ?? 'message', id: field('id'), data: JSON.parse(data) };
      }
    }
  }
}
