export type { ClewSettings } from './settings.gen.ts'
export { type Clew, type StartOptions, start } from './start.ts'
