/** Burns a share of one processor until it is killed: `node burner.ts SHARE`. */
const share = Number(process.argv[2] ?? 1);
const SLICE_MS = 10;

for (;;) {
  const until = performance.now() + SLICE_MS * share;
  while (performance.now() < until);
  if (share < 1) await new Promise(resolve => setTimeout(resolve, SLICE_MS * (1 - share)));
}

export {};
