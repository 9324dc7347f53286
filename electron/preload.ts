/** Runs in the page's sandbox, in an isolated world. Gives the page its ports, and nothing else. */
import { contextBridge, ipcRenderer } from 'electron';
import {
  type DesktopBridge,
  PORT_CHANNELS,
  type PortMessage,
} from '../shared/model/transport/desktop-ports.ts';

const bridge: DesktopBridge = {
  askForPort(kind, id, connection) {
    if (Object.hasOwn(PORT_CHANNELS, kind)) ipcRenderer.send(PORT_CHANNELS[kind], id, connection);
  },
};

for (const channel of Object.values(PORT_CHANNELS)) {
  ipcRenderer.on(channel, (event, message: PortMessage) => {
    // `contextBridge` cannot transfer a port; a message to this window can. `/` restricts it to this origin.
    window.postMessage(message, '/', event.ports);
  });
}
contextBridge.exposeInMainWorld('sandglass', bridge);
