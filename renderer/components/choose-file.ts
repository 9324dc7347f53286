/** Opens the browser's file dialog; `accept` lists endings and types. Null: cancelled. Must be called in a click handler. */
export function chooseFile(accept: string): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  const chosen = new Promise<File | null>(resolve => {
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
  });
  input.click();
  return chosen;
}
