import './no-eval.ts';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { engineNow, startApi } from './api.ts';
import { setEngineClock } from './components/clock.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

startApi();
setEngineClock(engineNow);
createRoot(root).render(<App />);
