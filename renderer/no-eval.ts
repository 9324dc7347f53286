import { config } from 'zod';

// Zod tests whether it may compile code. The content security policy forbids it, and the browser would log each test
// as a violation. Schemas read this setting when they are created, so this file is imported before any of them.
config({ jitless: true });
