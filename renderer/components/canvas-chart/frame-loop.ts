/**
 * Calls `draw` once a display frame while the element is visible, never while it is hidden, and once a second for
 * people who prefer reduced motion.
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

  /** Whether the person prefers reduced motion. */
  get reducesMotion(): boolean {
    return this.#reduced.matches;
  }

  /** Draws with the next frame, also with reduced motion. Call it when anything except the time changed. */
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
    // Requested before drawing: an error in one frame does not stop the loop.
    if (!this.reducesMotion) this.invalidate();
    this.#draw(timestamp);
  };

  #restart(): void {
    this.#pause();
    if (!this.#seen) return;
    this.invalidate();
    if (this.reducesMotion) this.#second = setInterval(() => this.invalidate(), 1_000);
  }

  #pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    clearInterval(this.#second);
  }
}
