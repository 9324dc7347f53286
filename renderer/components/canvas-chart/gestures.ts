/** Pointer gestures on a canvas; x and y in CSS pixels of the element. */
export interface Gestures {
  hover(at: { x: number; y: number } | null): void;
  /** Distance since the last call, CSS pixels. */
  drag(byX: number): void;
  click(x: number, y: number): void;
  zoom(delta: number, x: number): void;
}

/** A press that moves less than this is a click, CSS pixels. */
const CLICK_SLACK = 3;
const LINE_PX = 16;

/** Listens until `signal` is aborted. */
export function listenForGestures(element: HTMLElement, gestures: Gestures, signal: AbortSignal): void {
  let pressed: { startX: number; lastX: number; dragging: boolean } | null = null;
  const place = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => element.addEventListener(type, listener, { signal, passive });

  on('pointerdown', event => {
    if (event.button !== 0) return;
    const { x } = place(event);
    pressed = { startX: x, lastX: x, dragging: false };
    element.setPointerCapture(event.pointerId);
  });
  on('pointermove', event => {
    const { x, y } = place(event);
    if (pressed !== null) {
      pressed.dragging ||= Math.abs(x - pressed.startX) > CLICK_SLACK;
      if (pressed.dragging) {
        gestures.drag(x - pressed.lastX);
        gestures.hover(null);
        pressed.lastX = x;
        return;
      }
    }
    gestures.hover({ x, y });
  });
  on('pointerup', event => {
    const { x, y } = place(event);
    if (pressed !== null && !pressed.dragging) gestures.click(x, y);
    pressed = null;
  });
  on('pointercancel', () => {
    pressed = null;
  });
  on('pointerleave', () => gestures.hover(null));
  on(
    'wheel',
    event => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX;
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) gestures.drag(-sideways * unit);
      // A pinch arrives as a wheel event with Ctrl, in much smaller steps.
      else gestures.zoom(event.deltaY * unit * (event.ctrlKey ? 6 : 1), place(event).x);
    },
    false,
  );
}
