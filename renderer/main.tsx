import './no-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { HOME_CONNECTION } from '../shared/model/transport/connection-id.ts';
import { App } from './App.tsx';
import { engineNow, goToConnection, onConnectionChange, startApi } from './api.ts';
import { followAddress } from './components/navigation/location.ts';
import { startTabs } from './components/navigation/tabs.ts';
import { dropToastActions } from './components/overlays/toast-store.ts';
import { setEngineClock } from './components/time/clock.ts';
import { language } from './i18n/i18n.ts';
import { fetchLazyPages } from './pages/lazy-pages.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

document.documentElement.lang = language;
startApi(followAddress(id => goToConnection(id ?? HOME_CONNECTION)) ?? HOME_CONNECTION);
onConnectionChange(dropToastActions);
setEngineClock(engineNow);
startTabs();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
fetchLazyPages();
