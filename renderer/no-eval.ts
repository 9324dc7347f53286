import { config } from 'zod';

// Zod tries whether it may compile code. The content security policy says no, and the browser logs each attempt as a
// violation. Schemas look at this as they are made, so it is imported before any of them.
config({ jitless: true });
