import { createHmac, randomUUID } from 'node:crypto';
import type { Alert, AlertEvent, WebhookAnswer } from '../../../shared/contract/alerts.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { post } from './http-post.ts';
import type { WebhookFile, WebhookSettings } from './webhook-file.ts';

/** Longest queue. Beyond it the oldest event is dropped, since recent states are more useful than past ones. */
const MOST_WAITING = 100;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Attempts per event, over about an hour. */
const MOST_TRIES = 20;

interface Delivery {
  readonly id: string;
  readonly news: AlertEvent;
  readonly body: string;
  tries: number;
}

export interface WebhookOptions {
  file: WebhookFile;
  clock: Clock;
  log: Logger;
}

/**
 * Sends events to one address, in order and one at a time, each signed. A failed event is sent again after 1 s, 2 s, …
 * 5 min, at most twenty times. The queue is in memory, and callers never wait for it. Delivered alerts are recorded in
 * the webhook's file, so that a restart neither repeats nor omits one.
 *
 * `Sandglass-Signature: t=T,v1=S`: T is the instant of sending, epoch ms; S is the HMAC-SHA256 of `T.body` with the
 * secret, in hex.
 */
export class WebhookSender {
  readonly #options: WebhookOptions;
  #settings: WebhookSettings | null;
  #waiting: Delivery[] = [];
  #last: WebhookAnswer['last'] = null;
  #isSending = false;
  #isStopped = false;
  #cancelRetry: () => void = () => {};

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#settings = options.file.read();
  }

  get isOn(): boolean {
    return this.#settings !== null;
  }

  /** Alerts whose beginning was delivered and whose end was not, also before a restart. */
  get delivered(): readonly Alert[] {
    return this.#settings?.delivered ?? [];
  }

  answer(): WebhookAnswer {
    const { url = null, insecure = false } = this.#settings ?? {};
    return { url, insecure, waiting: this.#waiting.length, last: this.#last };
  }

  /** Throws INVALID_SETTING for an invalid address, or without a secret. */
  set({ url, secret, insecure }: { url: string; secret?: string | undefined; insecure: boolean }): void {
    checkAddress(url, insecure);
    // A secret is valid for one address only: otherwise signed messages could be directed to another address.
    const known = this.#settings?.url === url ? this.#settings : undefined;
    const next = secret ?? known?.secret;
    if (next === undefined)
      throw new SandglassError('INVALID_SETTING', 'A webhook needs a secret of at least 16 characters.');
    this.#change({ url, secret: next, insecure, delivered: known?.delivered ?? [] });
  }

  remove(): void {
    this.#change(null);
  }

  send(news: AlertEvent): void {
    if (this.#settings === null || this.#isStopped) return;
    this.#waiting.push(newDelivery(news));
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.splice(this.#isSending ? 1 : 0, 1);
      this.#options.log.warn('the queue of the webhook is full; the oldest alert was dropped');
    }
    void this.#work();
  }

  /**
   * Sends an event now, before the queue. Returns null if it was accepted. Throws INVALID_SETTING if no webhook is set.
   */
  async test(news: AlertEvent): Promise<string | null> {
    if (this.#settings === null) throw new SandglassError('INVALID_SETTING', 'No webhook is set.');
    return this.#try(this.#settings, newDelivery(news));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
  }

  #change(settings: WebhookSettings | null): void {
    this.#options.file.write(settings);
    this.#settings = settings;
    this.#last = null;
    if (settings === null) this.#waiting = [];
    this.#cancelRetry();
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#cancelRetry();
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        if (this.#settings === null || this.#isStopped) return;
        const problem = await this.#try(this.#settings, next);
        if (problem !== null && next.tries < MOST_TRIES) {
          this.#retryLater(next.tries);
          return;
        }
        if (problem === null) this.#remember(next.news);
        else
          this.#options.log.error('an alert could not be delivered and was dropped', {
            problem,
            tries: next.tries,
          });
        this.#waiting = this.#waiting.filter(waiting => waiting !== next);
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** If this cannot be written, a restart sends the message again: a repeated message is better than a lost one. */
  #remember({ event, alert }: AlertEvent): void {
    if (this.#settings === null || alert === null) return;
    const others = this.#settings.delivered.filter(({ id }) => id !== alert.id);
    this.#settings = { ...this.#settings, delivered: event === 'began' ? [...others, alert] : others };
    try {
      this.#options.file.write(this.#settings);
    } catch (error) {
      this.#options.log.warn('that an alert was delivered could not be written down', errorFields(error));
    }
  }

  #retryLater(tries: number): void {
    const ms = Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LONGEST_RETRY_MS);
    this.#cancelRetry = this.#options.clock.setTimer(ms, () => void this.#work());
  }

  async #try({ url, secret }: WebhookSettings, delivery: Delivery): Promise<string | null> {
    const { clock, log } = this.#options;
    delivery.tries += 1;
    const problem = await this.#post(new URL(url), secret, delivery);
    this.#last = { at: clock.now(), problem };
    if (problem !== null) log.warn('the webhook did not accept an alert', { problem, tries: delivery.tries });
    return problem;
  }

  async #post(url: URL, secret: string, { id, body }: Delivery): Promise<string | null> {
    const { clock } = this.#options;
    const t = String(clock.now());
    const signature = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Sandglass',
      'sandglass-delivery': id,
      'sandglass-signature': `t=${t},v1=${signature}`,
    };
    try {
      const status = await post(clock, url, { headers, body });
      return status >= 200 && status < 300 ? null : `The address answered ${status}.`;
    } catch (error) {
      return `The address could not be reached: ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
}

function newDelivery(news: AlertEvent): Delivery {
  return { id: randomUUID(), news, body: JSON.stringify(news), tries: 0 };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Throws INVALID_SETTING unless the address is https, or http to this machine or with `insecure`, and has no user
 * name.
 */
function checkAddress(text: string, insecure: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (why: string) => new SandglassError('INVALID_SETTING', why, { url: text });
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('A webhook is an address that begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw refuse('The address of a webhook cannot contain a user name. The signature identifies the sender.');
  if (url.protocol === 'http:' && !insecure && !LOOPBACK.test(url.hostname))
    throw refuse(
      'http:// to another machine can be read on its way. Use https://, or allow it with `insecure`.',
    );
}
