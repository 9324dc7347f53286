/**
 * When to draw: at the display's rate while the element can be seen, not at all while it cannot, and once a second for
 * people who asked for less motion.
 */
export class FrameLoop {
  readonly #draw: (timestamp: number) => void;
  readonly #reduced = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #observer: IntersectionObserver;
  readonly #ended = new AbortController();
  #inView = true;
  #frame = 0;
  #second: ReturnType<typeof setInterval> | undefined;

  constructor(element: Element, draw: (timestamp: number) => void) {
    this.#draw = draw;
    const { signal } = this.#ended;
    document.addEventListener('visibilitychange', () => this.#restart(), { signal });
    this.#reduced.addEventListener('change', () => this.#restart(), { signal });
    this.#observer = new IntersectionObserver(entries => {
      this.#inView = entries.at(-1)?.isIntersecting ?? true;
      this.#restart();
    });
    this.#observer.observe(element);
    this.#restart();
  }

  /** Nothing may move by itself. */
  get still(): boolean {
    return this.#reduced.matches;
  }

  /** Something other than time changed: draw with the next frame, even while holding still. */
  invalidate(): void {
    if (this.#frame === 0 && this.#seen) this.#frame = requestAnimationFrame(this.#run);
  }

  end(): void {
    this.#ended.abort();
    this.#observer.disconnect();
    this.#pause();
  }

  get #seen(): boolean {
    return this.#inView && document.visibilityState === 'visible' && !this.#ended.signal.aborted;
  }

  readonly #run = (timestamp: number): void => {
    this.#frame = 0;
    // Asked for before drawing: a fault in one frame must not stop the clock for good.
    if (!this.still) this.invalidate();
    this.#draw(timestamp);
  };

  #restart(): void {
    this.#pause();
    if (!this.#seen) return;
    this.invalidate();
    if (this.still) this.#second = setInterval(() => this.invalidate(), 1_000);
  }

  #pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    clearInterval(this.#second);
  }
}
