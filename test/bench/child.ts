/** The process of one story. Prints the figures as JSON: `node child.ts NAME '{…options…}'`. */
import { STORIES } from './stories.ts';
import { inFolder, type StoryOptions } from './story.ts';

const [name = '', given = '{}'] = process.argv.slice(2);
const story = STORIES[name];
if (story === undefined) throw new Error(`There is no story ${name}.`);
const options: StoryOptions = {
  documents: 10_000,
  keys: 'v4',
  order: 'random',
  retention: 0,
  seed: 1,
  seconds: 10,
  ...JSON.parse(given),
};
const figures = await inFolder(folder => story(options, folder));
process.stdout.write(`${JSON.stringify(figures)}\n`);
// A peer's package may leave timers or sockets open.
process.exit(0);
