/** `npm run soak -- --minutes 60 --seed 1`: a served host under hostile callers, restarts and a disk that fills. */
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const report = await soak({
  seconds: Number(values.minutes) * 60,
  seed: Number(values.seed),
  onProgress: line => console.error(line),
});
const { memory, ...figures } = report;
console.log(JSON.stringify(figures, null, 2));
for (const [life, readings] of memory.entries()) {
  const every = Math.max(1, Math.floor(readings.length / 20));
  const points = readings
    .filter((_, i) => i % every === 0)
    .map(({ second, bytes }) => `${second} s ${Math.round(bytes / 1e6)} MB`);
  console.log(`life ${life + 1}: ${points.join(', ')}`);
}
process.exitCode = report.complaints.length === 0 && (report.growth ?? 1) < 1.15 ? 0 : 1;
