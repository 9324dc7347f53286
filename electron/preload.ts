/** Runs in the page's sandbox, beside it and not in it: hands the page its ports, nothing else. */
import { contextBridge, ipcRenderer } from 'electron';
import { type DesktopBridge, PORT_CHANNELS, type PortMessage } from '../shared/model/desktop.ts';

const bridge: DesktopBridge = {
  askForPort(kind, id, connection) {
    if (Object.hasOwn(PORT_CHANNELS, kind)) ipcRenderer.send(PORT_CHANNELS[kind], id, connection);
  },
};

for (const channel of Object.values(PORT_CHANNELS)) {
  ipcRenderer.on(channel, (event, message: PortMessage) => {
    // A port cannot pass the bridge between the two worlds; a message to our own window can carry it. `/`: this origin.
    window.postMessage(message, '/', event.ports);
  });
}
contextBridge.exposeInMainWorld('sandglass', bridge);
